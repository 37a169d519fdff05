import ArgumentParser

/// `todo completion`
struct CompletionCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print the completions of the commands and options for a shell.",
    usage: "todo completion <shell>",
    discussion: """
      Store the output in ~/.local/share/bash-completion/completions/todo for bash, in a file _todo in a folder of $fpath \
      for zsh, or in ~/.config/fish/completions/todo.fish for fish. The packages install it.

      Also completes the numbers of items, the names of places and dates from the list, if it responds within 50 ms.
      """)

  /// A shell with completions.
  enum Shell: String, CaseIterable, ExpressibleByArgument, Sendable {
    case bash, zsh, fish
  }

  @Argument(help: "The shell.")
  var shell: Shell

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try session.print(CompletionScript(shell: shell).text)
  }
}
