"""What differs between engines, and nothing else."""
