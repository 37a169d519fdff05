import Testing
import ToDoModel

/// Arrivals and departures, as a table of positions. The place is at 48.13, 11.57; a degree of latitude has 111,195 m.
@Suite struct PlaceFencesTests {
  private static let start: Int64 = 1_767_225_600

  /// A position at a number of meters north of the place, at a number of minutes after the start.
  private struct Step {
    let minute: Int
    let meters: Double
    var accuracy = 10.0
    /// The events that the user is told of.
    var told: [PlaceReminder.Event] = []
  }

  private static let place = Coordinate(latitude: 48.13, longitude: 11.57)

  private func fences(_ circles: [PlaceFence.Circle], acknowledged: Timestamp? = nil) -> [PlaceFence] {
    PlaceReminder.Event.allCases.map { event in
      PlaceFence(
        PlaceFence.Key(list: .local, item: ItemID(high: 0, low: 1), event: event), circles: circles,
        acknowledged: acknowledged)
    }
  }

  private func circle(radius: Double = 150, north meters: Double = 0) throws -> PlaceFence.Circle {
    PlaceFence.Circle(center: try position(meters).coordinate, radius: radius)
  }

  private func time(_ minute: Int) -> Timestamp {
    Timestamp(microseconds: (Self.start + Int64(minute) * 60) * 1_000_000)
  }

  private func position(_ meters: Double, accuracy: Double = 10, at time: Timestamp? = nil) throws -> Position {
    let center = try #require(Self.place)
    let coordinate = Coordinate(latitude: center.latitude + meters / 111_195, longitude: center.longitude)
    return Position(try #require(coordinate), accuracy: accuracy, time: time)
  }

  private func expect(
    _ steps: [Step], at circles: [PlaceFence.Circle]? = nil, acknowledged: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var fences = PlaceFences()
    let all = self.fences(try circles ?? [circle()], acknowledged: acknowledged.map(time))
    for (number, step) in steps.enumerated() {
      let now = time(step.minute)
      let position = try position(step.meters, accuracy: step.accuracy, at: now)
      let told = fences.move(to: position, among: all, at: now).map(\.event)
      #expect(told == step.told, "step \(number + 1)", sourceLocation: sourceLocation)
    }
  }

  @Test func arrivalThenDeparture_areTold_onceEach() throws {
    try expect([
      Step(minute: 0, meters: 5_000), Step(minute: 1, meters: 100, told: [.arriving]), Step(minute: 2, meters: 0),
      Step(minute: 3, meters: 120), Step(minute: 70, meters: 5_000, told: [.leaving]), Step(minute: 71, meters: 6_000),
    ])
  }

  @Test func firstPosition_inside_isAnArrival_andOutside_noDeparture() throws {
    try expect([Step(minute: 0, meters: 0, told: [.arriving])])
    try expect([Step(minute: 0, meters: 5_000), Step(minute: 200, meters: 9_000)])
  }

  @Test func jitterAtTheEdge_isNoEvent() throws {
    let jitter = (1...50).map { Step(minute: $0, meters: $0.isMultiple(of: 2) ? 140 : 220) }
    try expect([Step(minute: 0, meters: 140, told: [.arriving])] + jitter)
    // Also while the user was never inside.
    try expect((1...50).map { Step(minute: $0, meters: $0.isMultiple(of: 2) ? 160 : 240) })
  }

  @Test func departure_isCertainOnlyBeyondTheAccuracy() throws {
    try expect([
      Step(minute: 0, meters: 0, told: [.arriving]), Step(minute: 61, meters: 400, accuracy: 200),
      Step(minute: 62, meters: 430, accuracy: 200, told: [.leaving]),
    ])
  }

  @Test func inaccuratePosition_isNoArrival() throws {
    try expect([
      Step(minute: 0, meters: 0, accuracy: 151), Step(minute: 1, meters: 0, accuracy: 150, told: [.arriving]),
    ])
  }

  @Test(arguments: [59, 60, 61]) func reentry_countsAfterAnHourOutside(_ minutes: Int) throws {
    try expect([
      Step(minute: 0, meters: 0, told: [.arriving]), Step(minute: 100, meters: 5_000, told: [.leaving]),
      Step(minute: 100 + minutes, meters: 0, told: minutes < 60 ? [] : [.arriving]),
    ])
  }

  /// The hour begins again with each departure.
  @Test func shortReturns_areNotAddedUp() throws {
    try expect([
      Step(minute: 0, meters: 0, told: [.arriving]), Step(minute: 100, meters: 5_000, told: [.leaving]),
      Step(minute: 140, meters: 0), Step(minute: 150, meters: 5_000), Step(minute: 205, meters: 0),
      Step(minute: 206, meters: 5_000, told: [.leaving]), Step(minute: 266, meters: 0, told: [.arriving]),
    ])
  }

  @Test(arguments: [(-59, false), (-60, true), (-600, true), (600, true)])
  func firstPosition_afterARestart_repeatsNoReminderOfTheLastHour(_ acknowledged: Int, _ isTold: Bool) throws {
    try expect([Step(minute: 0, meters: 0, told: isTold ? [.arriving] : [])], acknowledged: acknowledged)
  }

  @Test func branches_areOnePlace() throws {
    let branches = [try circle(), try circle(north: 3_000)]
    try expect(
      [
        Step(minute: 0, meters: 1_500), Step(minute: 1, meters: 3_000, told: [.arriving]),
        Step(minute: 100, meters: 1_500, told: [.leaving]), Step(minute: 110, meters: 0),
        Step(minute: 400, meters: 1_500, told: [.leaving]), Step(minute: 500, meters: 0, told: [.arriving]),
      ], at: branches)
    // From one into the other, which overlaps it.
    try expect(
      [Step(minute: 0, meters: 0, told: [.arriving]), Step(minute: 100, meters: 250)],
      at: [try circle(), try circle(north: 250)])
  }

  @Test func position_thatIsNotLaterThanTheLast_changesNothing() throws {
    var fences = PlaceFences()
    let all = self.fences([try circle()])
    #expect(fences.move(to: try position(5_000, at: time(5)), among: all, at: time(5)) == [])
    #expect(fences.move(to: try position(0, at: time(4)), among: all, at: time(6)) == [])
    #expect(fences.move(to: try position(0, at: time(5)), among: all, at: time(6)) == [])
    #expect(fences.move(to: try position(0, at: time(6)), among: all, at: time(6)).map(\.event) == [.arriving])
  }

  /// A clock that is ahead does not hold back what another phone reports.
  @Test func position_inTheFuture_countsAsNow() throws {
    var fences = PlaceFences()
    let all = self.fences([try circle()])
    #expect(fences.move(to: try position(5_000, at: time(9)), among: all, at: time(0)) == [])
    #expect(fences.move(to: try position(0), among: all, at: time(1)).map(\.event) == [.arriving])
  }

  @Test func oldPosition_triggersNothing_butSaysThatTheUserWasOutside() throws {
    var fences = PlaceFences()
    let all = self.fences([try circle()])
    #expect(fences.move(to: try position(0), among: all, at: time(0)).map(\.event) == [.arriving])
    // A phone without a network sends these later.
    #expect(fences.move(to: try position(5_000, at: time(100)), among: all, at: time(300)) == [])
    #expect(fences.move(to: try position(0, at: time(200)), among: all, at: time(300)) == [])
    #expect(fences.move(to: try position(0, at: time(299)), among: all, at: time(300)).map(\.event) == [.arriving])
  }

  @Test func movedPlace_isNew_andOtherFencesAreForgotten() throws {
    var fences = PlaceFences()
    #expect(fences.move(to: try position(0), among: self.fences([try circle()]), at: time(0)).count == 1)
    let moved = self.fences([try circle(north: 100)])
    #expect(fences.move(to: try position(0), among: moved, at: time(1)).map(\.event) == [.arriving])
    #expect(fences.count == 2)
    #expect(fences.move(to: try position(0), among: [], at: time(2)) == [] && fences.count == 0)
  }

  @Test func takenBackEvent_isTriggeredByTheNextPosition() throws {
    var fences = PlaceFences()
    let all = self.fences([try circle()])
    _ = fences.move(to: try position(5_000), among: all, at: time(0))
    let former = fences
    let key = try #require(fences.move(to: try position(0), among: all, at: time(1)).first)
    fences.takeBack(key, to: former)
    #expect(fences.move(to: try position(0), among: all, at: time(2)) == [key])
    #expect(fences.move(to: try position(0), among: all, at: time(3)) == [])
  }

  @Test func fences_areBounded() throws {
    var fences = PlaceFences()
    let circle = try circle()
    let all = (1...300).map { number in
      PlaceFence(
        PlaceFence.Key(list: .local, item: ItemID(high: 0, low: number), event: .arriving), circles: [circle])
    }
    #expect(fences.move(to: try position(0), among: all, at: time(0)).count == 256)
    #expect(fences.count == 256)
  }

  @Test(
    arguments: [
      (nil, 150), (.house, 150), (.street, 500), (.locality, 5_000), (.region, 100_000), (.country, 500_000),
    ] as [(Location.Granularity?, Double)])
  func radius_isAtLeastThatOfTheCoordinate(_ granularity: Location.Granularity?, _ radius: Double) throws {
    let provenance = granularity.map { Location.Provenance(source: "g", granularity: $0) }
    let location = Location(address: "a", coordinate: Self.place, provenance: provenance)
    #expect(PlaceFence.Circle(location)?.radius == radius)
    #expect(PlaceFence.Circle(Location(name: "a")) == nil)
  }

  @Test func place_acrossTheAntimeridian_isOne() throws {
    let center = try #require(Coordinate(latitude: 0, longitude: 180))
    let west = try #require(Coordinate(latitude: 0, longitude: -179.9999))
    let fence = fences([PlaceFence.Circle(center: center, radius: 150)])[0]
    #expect(fence.side(of: Position(west)) == .inside)
  }
}
