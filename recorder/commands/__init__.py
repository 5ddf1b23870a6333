"""The subcommands of `banmen`, a module each: `HELP`, `configure(parser)`, `run(arguments)`."""
