"""What the commands of the command line do, by what they are for. Typer alone is imported at module level."""
