import Testing
import ToDoModel

/// The rules of positions, and what their texts contain.
@Suite struct PositionTests {
  private let now = Timestamp(microseconds: 1_767_225_600_000_000)

  private func position(accuracy: Double = 0, time: Timestamp? = nil) throws -> Position {
    Position(try #require(Coordinate(latitude: 48.137, longitude: 11.575)), accuracy: accuracy, time: time)
  }

  @Test(arguments: [0, 20_000_000]) func accuracy_inRange_isValid(_ accuracy: Double) throws {
    try position(accuracy: accuracy).validate(at: now)
  }

  @Test(arguments: [-1, 20_000_001, .infinity, .nan]) func accuracy_outOfRange_isNamed(_ accuracy: Double) throws {
    let position = try position(accuracy: accuracy)
    #expect(
      throws: ToDoError.invalidRequest([FieldViolation("position.accuracy_meters", "must be 0 to 20,000,000")])
    ) { try position.validate(at: now) }
  }

  @Test func time_isAtMostTenMinutesAhead() throws {
    try position(time: now.adding(seconds: 600)).validate(at: now)
    try position(time: now.adding(seconds: -90_000_000)).validate(at: now)
    let late = try position(time: now.adding(seconds: 601))
    let reason = "must not be more than 10 minutes ahead of the service's clock"
    #expect(throws: ToDoError.invalidRequest([FieldViolation("position.time", reason)])) { try late.validate(at: now) }
  }

  @Test(arguments: [Int64.min, .max]) func time_outsideTheYears1To9999_isNamed(_ microseconds: Int64) throws {
    let position = try position(time: Timestamp(microseconds: microseconds))
    #expect(
      throws: ToDoError.invalidRequest([FieldViolation("position.time", "must lie in the years 1 to 9999")])
    ) { try position.validate(at: now) }
  }

  @Test func texts_containNothingOfIt() throws {
    let position = try position(accuracy: 7, time: now)
    var dumped = ""
    dump(position, to: &dumped)
    for text in ["\(position)", String(reflecting: position), "\([position])", dumped] {
      #expect(!text.contains("48") && !text.contains("11.5") && !text.contains("7") && !text.contains("2026"))
    }
  }
}
