"""The pages of a contest that people look at in a browser, and the files that programs read."""
