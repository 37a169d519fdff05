/// A report of a user's position. It is private: its text forms reveal nothing, so no log does.
public struct Position: Equatable, Sendable {
  /// The coordinate.
  public var coordinate: Coordinate
  /// The radius, in meters, of the circle in which the user probably is. 0 if it is not known, as for a place that a user names.
  public var accuracy: Double
  /// The time at which the user was there; `nil` for now.
  public var time: Timestamp?

  /// Creates a position.
  public init(_ coordinate: Coordinate, accuracy: Double = 0, time: Timestamp? = nil) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.time = time
  }

  /// The limits of positions.
  public enum Limits {
    /// The maximum of `accuracy`, in meters.
    public static let accuracy = 20_000_000.0
    /// The maximum time by which a position can be ahead of the clock, in seconds.
    public static let secondsAhead = 600
  }

  /// Checks the position. No error contains a part of it.
  ///
  /// - Throws: `ToDoError.invalidRequest` with every violation of a rule.
  package func validate(at now: Timestamp) throws {
    var found: [FieldViolation] = []
    if !(0...Limits.accuracy).contains(accuracy) {
      found.append(FieldViolation("position.accuracy_meters", "must be 0 to 20,000,000"))
    }
    if let time, !Timestamp.supportedRange.contains(time) {
      found.append(FieldViolation("position.time", "must lie in the years 1 to 9999"))
    } else if let time, time > now.adding(seconds: Limits.secondsAhead) {
      found.append(FieldViolation("position.time", "must not be more than 10 minutes ahead of the service's clock"))
    }
    guard found.isEmpty else { throw ToDoError.invalidRequest(found) }
  }
}

extension Position: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// No part of the position.
  public var description: String { "a position" }

  /// No part of the position.
  public var debugDescription: String { description }

  /// No part of the position.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Timestamp {
  /// Returns the time that is a number of seconds later.
  package func adding(seconds: Int) -> Timestamp { Timestamp(microseconds: microseconds + Int64(seconds) * 1_000_000) }
}
