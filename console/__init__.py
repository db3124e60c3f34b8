"""What people see: the command line and the terminal console."""
