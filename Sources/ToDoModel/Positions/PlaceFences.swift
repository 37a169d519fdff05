/// The fences of one user, and the side of each on which the user is.
///
///     unknown --inside--> inside: arrived
///     unknown --outside--> outside
///     inside --outside--> outside: left
///     outside --inside--> inside: arrived, unless the user was outside for less than an hour
///
/// The user is told about an arrival or departure at most once an hour, whatever the positions are. The first position may count as
/// an arrival, because the state is only in memory: after a restart, an arrival may be reported again, but none is lost.
package struct PlaceFences: Sendable {
  fileprivate struct State {
    var circles: [PlaceFence.Circle]
    var side: PlaceFence.Side?
    /// The time since which the user is outside after having been inside.
    var leftAt: Timestamp?
    /// The time for which the user was told last.
    var told: Timestamp?
  }

  private var states: [PlaceFence.Key: State] = [:]
  /// The time of the last position.
  private var lastTime: Timestamp?

  /// The maximum number of a user's fences. Further ones are ignored.
  package static let limit = 256
  /// The time that the user must be outside before the next arrival counts, and between two reminders of a fence, in seconds.
  package static let pause = 3_600
  /// The age from which a position triggers nothing, in seconds. It only says that the user was outside.
  package static let maximumAge = 600

  /// Creates the fences of a user about whom nothing is known.
  package init() {}

  /// The number of fences.
  package var count: Int { states.count }

  /// Takes a position. One that is not later than the last one changes nothing.
  ///
  /// - Parameter fences: all fences of the user. Those that are missing are forgotten.
  /// - Returns: the fences whose events have happened, in the given order.
  package mutating func move(to position: Position, among fences: [PlaceFence], at now: Timestamp) -> [PlaceFence.Key] {
    let time = min(position.time ?? now, now)
    if let lastTime, time <= lastTime { return [] }
    lastTime = time
    let isOld = time < now.adding(seconds: -Self.maximumAge)
    let former = states
    states = [:]
    var happened: [PlaceFence.Key] = []
    for fence in fences.prefix(Self.limit) where !fence.circles.isEmpty {
      var state = former[fence.key].flatMap { $0.isKept(in: fence) ? $0 : nil } ?? State(circles: fence.circles)
      state.circles = fence.circles
      state.told = [state.told, fence.acknowledged].compactMap(\.self).max()
      if let side = fence.side(of: position), !(isOld && side == .inside),
        state.move(to: side, fence.key.event, at: time),
        !isOld
      {
        state.told = time
        happened.append(fence.key)
      }
      states[fence.key] = state
    }
    return happened
  }

  /// Withdraws an event because the user could not be told. The next position triggers it again.
  package mutating func takeBack(_ key: PlaceFence.Key, to former: PlaceFences) { states[key] = former.states[key] }
}

extension PlaceFences.State {
  /// Whether the state is that of a fence: one whose place has not moved.
  fileprivate func isKept(in fence: PlaceFence) -> Bool { circles.contains { fence.circles.contains($0) } }

  /// - Returns: whether the user is to be told about the event.
  fileprivate mutating func move(to side: PlaceFence.Side, _ event: PlaceReminder.Event, at time: Timestamp) -> Bool {
    let (formerSide, formerLeft) = (self.side, leftAt)
    self.side = side
    guard formerSide != side else { return false }
    switch side {
    case .outside:
      guard formerSide == .inside else { return false }
      leftAt = time
      return event == .leaving && PlaceFences.isOver(told, at: time)
    case .inside:
      return event == .arriving && PlaceFences.isOver(formerLeft, at: time) && PlaceFences.isOver(told, at: time)
    }
  }
}

extension PlaceFences {
  /// Whether a time is so long ago that the user can be told again. An acknowledgment in the future does not count.
  package static func isOver(_ last: Timestamp?, at time: Timestamp) -> Bool {
    guard let last else { return true }
    return last > time.adding(seconds: pause) || last <= time.adding(seconds: -pause)
  }
}
