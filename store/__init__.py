"""What is true: entries, proposals, memories, versions and operations, and the rules by which they change."""
