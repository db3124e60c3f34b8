"""The parts screens are made of: one module and, where it has one, one style sheet each. None touches the store."""
