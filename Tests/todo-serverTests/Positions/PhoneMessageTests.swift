import Testing
import ToDoModel

@testable import todo_server

/// The messages of programs that report where a phone is.
@Suite struct PhoneMessageTests {
  private func position(_ accuracy: Double, _ seconds: Int64?) throws -> Position {
    let coordinate = try #require(Coordinate(latitude: 48.85833, longitude: 2.29513))
    return Position(coordinate, accuracy: accuracy, time: seconds.map { Timestamp(microseconds: $0 * 1_000_000) })
  }

  @Test(
    arguments: [
      (
        #"{"_type":"location","lat":48.85833,"lon":2.29513,"acc":12,"tst":1497476456,"tid":"JJ","t":"u"}"#, 12,
        1_497_476_456
      ),
      (#"{"lon":2.29513,"lat":48.85833,"_type":"location"}"#, 0, nil),
      (#"{"_type":"location","lat":48.85833,"lon":2.29513,"acc":-1,"tst":1497476456.5}"#, 0, 1_497_476_456),
    ] as [(String, Double, Int64?)])
  func ownTracks_location_isAPosition(_ text: String, _ accuracy: Double, _ seconds: Int64?) throws {
    #expect(try PhoneMessage(ownTracks: Array(text.utf8)) == .position(try position(accuracy, seconds), token: nil))
  }

  @Test(arguments: [
    "", #"{"_type":"lwt","tst":1}"#, #"{"_type":"encrypted","data":"x"}"#, #"{"_type":"transition","lat":1}"#,
  ])
  func ownTracks_otherMessage_isIgnored(_ text: String) throws {
    #expect(try PhoneMessage(ownTracks: Array(text.utf8)) == .other)
  }

  @Test(
    arguments: [
      (" ", "the body is not a message of OwnTracks"), ("[]", "the body is not a message of OwnTracks"),
      (#"{"lat":48.5,"lon":2}"#, "the body is not a message of OwnTracks"),
      (#"{"_type":"location","lat":"48.5","lon":2}"#, "the body is not a message of OwnTracks"),
      (#"{"_type":"location","lon":2}"#, "lat must be set, and lie in -90...90"),
      (#"{"_type":"location","lat":98.5,"lon":2}"#, "lat must be set, and lie in -90...90"),
      (#"{"_type":"location","lat":48.5,"lon":198.5}"#, "lon must be set, and lie in -180...180"),
      (#"{"_type":"location","lat":48.5,"lon":2,"acc":20000001}"#, "acc must be at most 20,000,000"),
      (#"{"_type":"location","lat":48.5,"lon":2,"tst":-1}"#, "tst must be a number of seconds since 1970"),
      (#"{"_type":"location","lat":48.5,"lon":2,"tst":1e300}"#, "tst must be a number of seconds since 1970"),
    ])
  func ownTracks_whenInvalid_namesTheField_withoutTheValue(_ text: String, _ reason: String) {
    #expect(throws: PhoneMessage.InvalidMessage(text: reason)) { try PhoneMessage(ownTracks: Array(text.utf8)) }
    #expect(!reason.contains("8.5"))
  }

  @Test func traccar_location_isAPosition_andTheDeviceItsToken() throws {
    let text = """
      {"location":{"timestamp":"2017-06-14T21:40:56.000Z","coords":{"latitude":48.85833,"longitude":2.29513,"accuracy":12,
      "speed":0},"is_moving":false,"battery":{"level":1},"extras":{}},"device_id":"todo_1_2"}
      """
    #expect(
      try PhoneMessage(traccar: Array(text.utf8)) == .position(try position(12, 1_497_476_456), token: "todo_1_2"))
    #expect(try PhoneMessage(traccar: Array("{}".utf8)) == .other)
  }

  @Test(
    arguments: [
      ("", "the body is not JSON of Traccar Client 9 or later"),
      ("id=1&lat=48.5&lon=2", "the body is not JSON of Traccar Client 9 or later"),
      (#"{"location":{}}"#, "latitude must be set, and lie in -90...90"),
      (#"{"location":{"coords":{"latitude":48.5,"longitude":180.5}}}"#, "longitude must be set, and lie in -180...180"),
      (
        #"{"location":{"timestamp":"now","coords":{"latitude":48.5,"longitude":2}}}"#,
        "timestamp must be a time in RFC 3339 format"
      ),
    ])
  func traccar_whenInvalid_namesTheField(_ text: String, _ reason: String) {
    #expect(throws: PhoneMessage.InvalidMessage(text: reason)) { try PhoneMessage(traccar: Array(text.utf8)) }
  }
}
