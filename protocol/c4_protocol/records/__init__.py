"""Messages, events and reports, and their schemas."""
