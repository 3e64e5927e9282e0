"""What dyngen has to say to an author: values first, one renderer for each format."""
