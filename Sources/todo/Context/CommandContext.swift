import ToDoModel

/// Everything outside of the program that commands touch.
struct CommandContext: Sendable {
  var terminal: Terminal
  /// An environment variable; `nil` when it is unset or empty.
  var environment: @Sendable (String) -> String?
  var clock: any WallClock
  var zone: any TimeZoneRules
  /// A clock that only runs forward, to measure with.
  var uptime: @Sendable () -> Duration
  var makeID: @Sendable (Timestamp) -> ItemID
  var connect: @Sendable (ServiceSelection) async throws -> ServiceConnection
  /// The towns that maps name.
  var placeLabels: any PlaceLabels = NoPlaceLabels()
}

extension CommandContext {
  /// The day in the person's time zone.
  var today: CalendarDate { zone.localTime(at: clock.now()).date ?? .epoch }

  /// How wide a line may be; `nil` when it does not matter, since nobody looks at a window.
  var columns: Int? {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return terminal.outputIsTerminal ? terminal.windowColumns() ?? 80 : nil
  }
}
