import ArgumentParser

/// Adds command aliases to ArgumentParser's completion script, which knows only their names.
enum CompletionAliases {
  /// The aliases, with the names of the commands.
  static var all: [(alias: String, name: String)] {
    ToDo.configuration.subcommands.flatMap { command in
      command.configuration.aliases.map { ($0, command.configuration.commandName ?? "") }
    }
  }

  /// Returns the script with the aliases as candidates for a command. After an alias, it completes what it completes after the
  /// name of the command.
  static func added(to script: String, for shell: CompletionCommand.Shell) -> String {
    switch shell {
    case .bash:
      script.replacing(" completion help' -- ", with: " completion help \(names)' -- ", maxReplacements: 1)
        .replacing(
          "local -r subcommand=\"${unparsed_words[0]}\"\n",
          with: "local subcommand=\"${unparsed_words[0]}\"\n    case \"${subcommand}\" in\n"
            + cases { "    \($0)) subcommand='\($1)' ;;\n" } + "    esac\n", maxReplacements: 1)
    case .zsh:
      script.replacing(
        "            'help:", with: cases { "            '\($0):The same as \($1).'\n" } + "            'help:",
        maxReplacements: 1
      ).replacing(
        "        case \"${words[1]}\" in\n        add|",
        with: "        case \"${words[1]}\" in\n" + cases { "        \($0)) words[1]='\($1)' ;;\n" }
          + "        esac\n        case \"${words[1]}\" in\n        add|", maxReplacements: 1)
    case .fish:
      script.replacing(
        "        switch $unparsed_tokens[1]\n        case 'add'",
        with: "        switch $unparsed_tokens[1]\n"
          + cases { "        case '\($0)'\n            set unparsed_tokens[1] '\($1)'\n" }
          + "        end\n        switch $unparsed_tokens[1]\n        case 'add'", maxReplacements: 1)
        + "\n"
        + cases {
          "complete -c 'todo' -n '__todo_should_offer_completions_for_positional \"todo\" -eq 1' -fka '\($0)' -d 'The same as \($1).'\n"
        }
    }
  }

  private static var names: String { all.map(\.alias).joined(separator: " ") }

  private static func cases(_ text: (_ alias: String, _ name: String) -> String) -> String {
    all.map { text($0.alias, $0.name) }.joined()
  }
}
