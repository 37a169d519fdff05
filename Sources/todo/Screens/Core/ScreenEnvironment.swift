import ToDoModel

/// The values from outside on which the handling of events and the drawing depend.
struct ScreenEnvironment: Sendable {
  var size: WindowSize
  var now: Timestamp
  /// The time since the start of the process.
  var uptime: Duration
  var zone: any TimeZoneRules
  var dates: DueDateParser
  var sentences: ItemSentenceReader
  var palette: Palette
  var world: [MapLine] = []
  var labels: any PlaceLabels = NoPlaceLabels()
  /// Whether the user can change nothing.
  var isReadOnly = false
  /// Whether the user types commands instead of pressing keys, which texts must then name.
  var takesCommands = false
  var connection = ServiceLink.local

  /// The rows above the status line.
  var bodyRows: Int { max(0, size.rows - 1) }
  var columns: Int { size.columns }
  /// The current date in the user's time zone.
  var today: CalendarDate { zone.localTime(at: now).date ?? .epoch }
}

/// The connection of the screens to the service.
enum ServiceLink: Equatable, Sendable {
  /// The service runs in this process.
  case local
  case connecting
  case connected
  /// The server is unreachable since a time.
  case lost(since: Timestamp)

  /// Whether requests can be answered.
  var isUsable: Bool {
    switch self {
    case .local, .connected: true
    case .connecting, .lost: false
    }
  }
}
