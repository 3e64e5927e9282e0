"""What every pattern costs on tables of a realistic size, measured on an engine."""
