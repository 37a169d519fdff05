import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages of positions.
@Suite struct ReportPositionTests {
  private static let reminder = PlaceReminder(
    list: .default, item: ItemID(high: 1, low: 2), number: ItemNumber(3), title: "Milk", event: .leaving)

  private func latLng(_ latitude: Double, _ longitude: Double) -> [UInt8] {
    // The tags of two fixed64 fields, and their values in little-endian order.
    [(0x09, latitude), (0x11, longitude)].flatMap { tag, value in
      [tag] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
  }

  @Test(arguments: [nil, Timestamp(microseconds: 1_777_636_800_000_000)])
  func request_roundTrip_preservesValue(_ time: Timestamp?) throws {
    let coordinate = try #require(Coordinate(latitude: 48.13, longitude: -11.57))
    let position = Position(coordinate, accuracy: 12.5, time: time)
    #expect(try PositionMethods.reportPosition.request.roundTrip(position) == position)
  }

  @Test func request_withoutPositionOrCoordinate_isRejected() {
    expectInvalidRequest(["position"]) { try PositionMethods.reportPosition.request.decode(ProtobufBytes()) }
    expectInvalidRequest(["position.coordinate"]) {
      try PositionMethods.reportPosition.request.decode(ProtobufBytes().field(1, ProtobufBytes()))
    }
  }

  @Test(arguments: [(91.5, 0), (-91.5, 0), (.nan, 0), (0, 181.5), (0, .infinity)] as [(Double, Double)])
  func request_outOfRange_isRejected_withoutTheValue(_ latitude: Double, _ longitude: Double) throws {
    let message = ProtobufBytes().field(1, ProtobufBytes().field(1, latLng(latitude, longitude)))
    let isNorth = longitude == 0
    let field = isNorth ? "position.coordinate.latitude" : "position.coordinate.longitude"
    let reason = isNorth ? "must lie in -90...90" : "must lie in -180...180"
    #expect(throws: ToDoError.invalidRequest([FieldViolation(field, reason)])) {
      try PositionMethods.reportPosition.request.decode(message)
    }
  }

  @Test func request_whenTimeIsInvalid_isRejected() {
    let time = ProtobufBytes().field(1, Int64.max)
    let position = ProtobufBytes().field(1, latLng(0, 0)).field(3, time)
    expectInvalidRequest(["position.time"]) {
      try PositionMethods.reportPosition.request.decode(ProtobufBytes().field(1, position))
    }
  }

  @Test func response_roundTrip_preservesValues() throws {
    var other = Self.reminder
    (other.list, other.event, other.number) = (ListID(high: 1, low: 1), .arriving, .unknown)
    let response = PositionMethods.reportPosition.response
    #expect(try response.roundTrip([Self.reminder, other]) == [Self.reminder, other])
    #expect(try response.roundTrip([]) == [])
  }

  @Test(arguments: [1, 2, 3, 5] as [UInt64]) func response_whenInvalid_isMalformed(_ field: UInt64) throws {
    func message(_ invalid: UInt64?) -> ProtobufBytes {
      let reminder = ProtobufBytes().field(1, invalid == 1 ? "work" : "default")
        .field(2, invalid == 2 ? "1" : Self.reminder.item.description).field(3, invalid == 3 ? Int64(-1) : 1)
        .field(4, "Milk").field(5, invalid == 5 ? Int64(7) : 1)
      return ProtobufBytes().field(1, reminder)
    }
    #expect(try PositionMethods.reportPosition.response.decode(message(nil)).count == 1)
    #expect(throws: RPCError.self) { try PositionMethods.reportPosition.response.decode(message(field)) }
  }
}
