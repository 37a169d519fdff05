package import ToDoModel
package import ToDoText

/// The values from outside on which the handling of events and the drawing depend.
package struct ScreenEnvironment: Sendable {
  /// The window size.
  package var size: WindowSize
  /// The current time.
  package var now: Timestamp
  /// The time since the start of the process.
  package var uptime: Duration
  var zone: any TimeZoneRules
  /// The parser of due dates at the current time.
  package var dates: DueDateParser
  var sentences: ItemSentenceReader
  /// The IANA name of the time zone, in which items repeat.
  var zoneName = ""
  /// Returns the rules of a time zone by its IANA name, or `nil` if it is unknown.
  package var rules: @Sendable (String) -> (any TimeZoneRules)? = { _ in nil }
  /// The user's locale.
  var locale = ""
  var search: ItemSearch
  var world: [MapLine] = []
  var labels: any PlaceLabels = NoPlaceLabels()
  /// Whether the user can change nothing.
  var isReadOnly = false
  /// The owner of the list that is shown, if the user can only view it.
  var viewedOwner: String?
  /// Whether the user types commands instead of pressing keys, which texts must then name.
  var takesCommands = false
  /// The connection to the service.
  package var connection = ServiceLink.local

  /// Creates an environment.
  package init(
    size: WindowSize, now: Timestamp, uptime: Duration, zone: any TimeZoneRules, dates: DueDateParser,
    sentences: ItemSentenceReader, zoneName: String = "", locale: String = "", search: @escaping ItemSearch,
    world: [MapLine] = [],
    labels: any PlaceLabels = NoPlaceLabels(), isReadOnly: Bool = false, takesCommands: Bool = false,
    connection: ServiceLink = ServiceLink.local
  ) {
    self.size = size
    self.now = now
    self.uptime = uptime
    self.zone = zone
    self.dates = dates
    self.sentences = sentences
    (self.zoneName, self.locale) = (zoneName, locale)
    self.search = search
    self.world = world
    self.labels = labels
    self.isReadOnly = isReadOnly
    self.takesCommands = takesCommands
    self.connection = connection
  }

  /// The reason why the user cannot change items in the list that is shown; `nil` if the user can.
  var refusal: String? {
    if isReadOnly { return Self.readOnlyRefusal }
    return viewedOwner.map { "you can only view this list; ask \($0.escapingControls()) to let you edit it" }
  }

  static let readOnlyRefusal = "this view is read-only; change items with 'todo ui'"

  /// Returns the environment of the screens while a list is shown.
  func showing(_ list: UserList) -> ScreenEnvironment {
    var environment = self
    environment.viewedOwner = list.role == .viewer ? list.ownerUser : nil
    return environment
  }

  /// The rows above the status line.
  var bodyRows: Int { max(0, size.rows - 1) }
  var columns: Int { size.columns }
  /// The current date in the user's time zone.
  var today: CalendarDate { zone.localTime(at: now).date ?? .epoch }
}

/// The size of a terminal window in characters.
package struct WindowSize: Equatable, Sendable {
  /// The number of rows.
  package var rows: Int
  /// The number of columns.
  package var columns: Int

  /// Creates a size.
  package init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
  }
}

/// The connection of the screens to the service.
package enum ServiceLink: Equatable, Sendable {
  /// The service runs in this process.
  case local
  case connecting
  case connected
  /// The server has been unreachable since a time.
  case lost(since: Timestamp)

  /// Whether requests can be answered.
  package var isUsable: Bool {
    switch self {
    case .local, .connected: true
    case .connecting, .lost: false
    }
  }
}
