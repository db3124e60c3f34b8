"""The agents' side: MCP server, hooks, provenance, setup and doctor. Nothing else of ``store`` imports it."""
