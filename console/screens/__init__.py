"""The screens: one module and one style sheet each."""
