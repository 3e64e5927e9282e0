"""Other open DynamoDB engines: installed at pinned versions, started here, and run against."""
