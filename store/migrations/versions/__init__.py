"""The revisions, named by schema number."""
