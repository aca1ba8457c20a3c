"""What a program does, whatever its language."""
