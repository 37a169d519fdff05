import ToDoGeocoders
import ToDoModel
import ToDoRules
import ToDoText

/// Everything outside the program that commands depend on.
struct CommandContext: Sendable {
  var terminal: Terminal
  /// Returns the value of an environment variable, or `nil` if it is unset or empty.
  var environment: @Sendable (String) -> String?
  var clock: any WallClock
  var zone: any TimeZoneRules
  /// Returns the time since the start of the process on a monotonic clock.
  var uptime: @Sendable () -> Duration
  /// Creates the ID of a new item.
  var makeID: @Sendable (Timestamp) -> ItemID
  /// Opens the selected service.
  var connect: @Sendable (ServiceSelection) async throws -> ServiceConnection
  /// Opens an empty list in this process, which is not saved.
  var openEmptyList: @Sendable (GeocoderSelection) throws -> ServiceConnection = ServiceConnection.openEmpty
  /// The questions that `todo doctor` asks the machine.
  var machine: MachineInspection
  /// Opens a file in an editor, and returns when the editor exits. The command is a shell command, such as `code -w`.
  ///
  /// - Throws: `Failure` if the editor cannot be started or fails.
  var openEditor: @Sendable (_ command: String, _ path: String) async throws -> Void
  /// Returns whether a file exists.
  var fileExists: @Sendable (_ path: String) -> Bool
  /// Returns when a shell no longer waits for completions.
  var completionDeadline: @Sendable () async -> Void
  /// The source of town names for maps.
  var placeLabels: any PlaceLabels = NoPlaceLabels()
  /// Opens the geocoder that knows the names of towns without a service. Returns `nil` if there is none.
  var gazetteer: @Sendable () -> (any Geocoder)? = { nil }
  /// Returns after a duration.
  ///
  /// - Throws: `CancellationError` if the task is canceled first.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Runs a program that tells the user about a reminder, with additional variables in its environment, and returns when it exits.
  ///
  /// - Throws: `Failure` if the program cannot be started, fails or takes too long.
  var runProgram: @Sendable (_ arguments: [String], _ environment: [String: String]) async throws -> Void = { _, _ in }
  /// Opens a web page in a browser, and returns whether that succeeded.
  var openURL: @Sendable (_ url: String) async -> Bool = { _ in false }
}

extension CommandContext {
  /// The current date in the user's time zone.
  var today: CalendarDate { zone.localTime(at: clock.now()).date ?? .epoch }

  /// The maximum width of a line, or `nil` if the output is not a terminal.
  var columns: Int? {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return terminal.outputIsTerminal ? terminal.windowColumns() ?? 80 : nil
  }
}
