"""What a log predicts as text, JSON and pictures. Start at `text`."""
