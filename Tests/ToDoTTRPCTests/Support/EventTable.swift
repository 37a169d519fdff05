/// The outcome of every event in every state, as a table of words with a column for each state and a row for each event.
struct EventTable<Event: Name, State: Name> {
  struct Cell: Sendable, CustomStringConvertible {
    let event: Event
    let state: State
    let outcome: String

    var description: String { "\(event.rawValue) when \(state.rawValue): \(outcome)" }
  }

  let cells: [Cell]

  /// - Precondition: every event has a row, and every state has a column.
  init(_ text: String) {
    var rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let states = rows.removeFirst().map(State.init(word:))
    precondition(states == State.allCases.map(\.self), "a column for each state, in order")
    precondition(rows.map { Event(word: $0[0]) } == Event.allCases.map(\.self), "a row for each event, in order")
    cells = rows.flatMap { row in
      precondition(row.count == states.count + 1, "an outcome for each state: \(row)")
      return zip(states, row.dropFirst()).map { Cell(event: Event(word: row[0]), state: $0, outcome: $1) }
    }
  }
}

/// A state or an event that has a name in a table.
protocol Name: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension Name {
  fileprivate init(word: String) {
    guard let value = Self(rawValue: word) else { preconditionFailure("\(word) is no \(Self.self)") }
    self = value
  }
}
