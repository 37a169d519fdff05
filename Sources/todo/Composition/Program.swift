import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// The program: parses the arguments, runs the command and reports failures.
struct Program: Sendable {
  let context: CommandContext

  /// A request that the program's arguments make.
  enum Request {
    case command(any ToDoCommand, list: ListArgument?)
    /// A completion script asks for candidates.
    case completion(CompletionRequest)
    /// The version or help, which was printed, or an error, which was reported.
    case finished(ExitStatus)
  }

  /// Runs the command that the arguments specify, and reports its failures.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  /// - Returns: the status with which the process exits.
  func run(_ arguments: [String]) async -> ExitStatus {
    switch prepare(arguments) {
    case .command(let command, let list): await run(command, list: list)
    case .completion(let request): await complete(request)
    case .finished(let status): status
    }
  }

  /// Parses the arguments, without the program's name. Prints the version or help, or reports an error, if they ask for that.
  func prepare(_ arguments: [String]) -> Request {
    if let request = CompletionRequest(arguments) { return .completion(request) }
    // Needs no parser, which takes most of the time.
    if arguments == ["--version"] { return .finished(printText(ServiceInfo.currentVersion)) }
    if arguments == ["help", "options"] {
      return .finished(printText(OptionsTopic.helpMessage(includeHidden: false, columns: helpColumns)))
    }
    let (rest, list): ([String], ListArgument?)
    do throws(Failure) {
      (rest, list) = try ListArguments.taking(from: arguments, optionsWithValue: OptionNames.withValue)
    } catch {
      return .finished(report(error, asJSON: Self.requestsJSON(arguments)))
    }
    return prepare(rest, list: list)
  }

  private func prepare(_ arguments: [String], list: ListArgument?) -> Request {
    do {
      let joined = AlternativeArguments.joiningGroups(arguments, optionsWithValue: OptionNames.withValue)
      let parsed = try parse(UserText.marking(joined))
      guard let command = parsed as? any ToDoCommand else { return .finished(.failure) }
      return .command(command, list: list)
    } catch {
      return .finished(reportParsingError(error, asJSON: Self.requestsJSON(arguments)))
    }
  }

  private static func requestsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// - Throws: errors that ArgumentParser formats, including requests for help.
  private func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = arguments.isEmpty ? [context.terminal.outputIsTerminal ? "today" : "list"] : arguments
    if let command = ToDo.parseSubcommand(arguments) { return command }
    try rejectUnknownCommand(arguments)
    var command = try ToDo.parseAsRoot(arguments)
    if isDefault(command, arguments) { command = try ToDo.parseAsRoot(["today"] + arguments) }
    // ArgumentParser's own commands, such as help, print their output by throwing.
    if !(command is any ToDoCommand) { try command.run() }
    return command
  }

  /// Whether only options are given, and a terminal shows the output.
  private func isDefault(_ command: any ParsableCommand, _ arguments: [String]) -> Bool {
    guard let list = command as? ListCommand, list.isDefault, !list.global.json, !list.global.quiet else {
      return false
    }
    return context.terminal.outputIsTerminal && !arguments.contains { $0 == "list" || $0 == "ls" }
  }

  /// Prints the candidates for a shell. Always succeeds, because the shell prints errors into the command line.
  func complete(_ request: CompletionRequest) async -> ExitStatus {
    await Completer(context: context, request: request).run()
    return .success
  }

  /// Runs a command, and reports its failures.
  ///
  /// - Parameter list: the list that the arguments name.
  func run(_ command: any ToDoCommand, list: ListArgument? = nil) async -> ExitStatus {
    let session = Session(options: command.global, context: context, list: list?.name, words: list?.words)
    session.checkTimeZone()
    do {
      do {
        try await command.run(in: session)
      } catch let unknown as UnknownListOfItems {
        try await run(unknown)
      }
      return .success
    } catch let status as ExitStatus {
      return status
    } catch {
      let failure = Failure(error)
      session.report(failure)
      return failure.status
    }
  }

  /// Runs a command whose arguments are words of a title, as no list has the name before their slash: `check TCP/4`.
  private func run(_ unknown: UnknownListOfItems) async throws {
    switch prepare(unknown.words, list: nil) {
    case .command(let command, _):
      do {
        try await command.run(in: Session(options: command.global, context: context))
      } catch let failure as Failure where failure.reason == "ITEM_NOT_FOUND" {
        throw failure.besides(unknown.failure)
      }
    case .finished(let status): throw status
    case .completion: throw unknown.failure
    }
  }

  /// Rejects a mistyped subcommand, which ArgumentParser would report as an unexpected argument of `list`, and a title that
  /// begins with a dash.
  private func rejectUnknownCommand(_ arguments: [String]) throws {
    let isHelp = arguments.first == "help"
    let names = ToDo.configuration.subcommands.flatMap {
      [$0.configuration.commandName ?? ""] + $0.configuration.aliases
    }
    let arguments = arguments.dropFirst(isHelp ? 1 : 0)
    if !isHelp, let title = CommandSuggestion(forTitleIn: Array(arguments)) { throw ValidationError(title.text) }
    guard let name = arguments.first, !name.hasPrefix("-"), !(names + ["help"]).contains(name) else { return }
    let suggestion = CommandSuggestion(for: name, addsItem: !isHelp, arguments, names: names)
    throw ValidationError(
      "unknown command '\(name.escapingControls())'; \(suggestion.text) 'todo --help' for the list of commands")
  }

  /// Prints help to standard output, and usage errors to standard error.
  private func reportParsingError(_ error: any Error, asJSON: Bool) -> ExitStatus {
    // `ToDo.exitCode(for:)` takes as long as the message.
    let message = ToDo.fullMessage(for: error)
    guard message.hasPrefix("Error: ") else { return printText(requestedText(error), asJSON: asJSON) }
    if asJSON { return report(.usage(reworded(ToDo.message(for: error))), asJSON: true) }
    context.terminal.error(reworded(message).escapingControls(keepingLines: true) + "\n")
    return .usage
  }

  /// Returns ArgumentParser's message without marks, and in this program's words if two flags exclude each other.
  private func reworded(_ message: String) -> String {
    let message = UserText.removingMarks(message)
    let (start, middle) = ("Value to be set with flag ", " had already been set with flag ")
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let first = lines.first, first.contains(start), first.contains(middle) else { return message }
    lines[0] = first.replacing(start, with: "").replacing(middle, with: " and ") + " cannot be combined"
    return lines.joined(separator: "\n")
  }

  /// Returns the text that the arguments request: the help of a command, the version, completions or the help as JSON.
  private func requestedText(_ request: any Error) -> String {
    let help = GlobalOptions.$visibility.withValue(.hidden) { ToDo.fullMessage(for: request, columns: helpColumns) }
    guard help.hasPrefix("OVERVIEW: ") else { return ToDo.fullMessage(for: request, columns: helpColumns) }
    return help + "\n  See 'todo help options' for the options of every command."
  }

  /// The width to which help is wrapped.
  private var helpColumns: Int { context.columns ?? 80 }

  private func printText(_ text: String, asJSON: Bool = false) -> ExitStatus {
    do {
      try context.terminal.output(text + "\n")
      return .success
    } catch {
      return report(Failure(error), asJSON: asJSON)
    }
  }

  func report(_ failure: Failure, asJSON: Bool = false) -> ExitStatus {
    context.terminal.error((asJSON ? failure.json.lineText : failure.text) + "\n")
    return failure.status
  }
}
