"""What all programs share: streams, exit codes, errors, texts, arguments."""
