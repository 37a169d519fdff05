import FoundationEssentials
import ToDoModel

/// A message of a program that reports a phone's position.
enum PhoneMessage: Equatable {
  /// A position, and the token if the message contains it.
  case position(Position, token: String?)
  /// A message without a position.
  case other

  /// A message that cannot be read. The text says which field is wrong, and contains no value.
  struct InvalidMessage: Error, Equatable {
    let text: String
  }
}

extension PhoneMessage {
  private struct OwnTracks: Decodable {
    let _type: String
    let lat: Double?
    let lon: Double?
    let acc: Double?
    let tst: Double?
  }

  /// Reads a message of OwnTracks in its HTTP mode.
  ///
  /// - Throws: `InvalidMessage`.
  init(ownTracks body: [UInt8]) throws {
    // The app sends an empty body for a friend who was deleted.
    if body.isEmpty {
      self = .other
      return
    }
    guard let message = try? JSONDecoder().decode(OwnTracks.self, from: Data(body)) else {
      throw InvalidMessage(text: "the body is not a message of OwnTracks")
    }
    guard message._type == "location" else {
      self = .other
      return
    }
    let position = try Self.position(
      (message.lat, "lat"), (message.lon, "lon"), accuracy: (message.acc, "acc"),
      time: message.tst.map { try Self.time(seconds: $0, "tst") })
    self = .position(position, token: nil)
  }

  private struct Traccar: Decodable {
    struct Location: Decodable {
      struct Coordinates: Decodable {
        let latitude: Double?
        let longitude: Double?
        let accuracy: Double?
      }

      let timestamp: String?
      let coords: Coordinates?
    }

    let location: Location?
    let device_id: String?
  }

  /// Reads a message of Traccar Client, whose device identifier is the token.
  ///
  /// - Throws: `InvalidMessage`.
  init(traccar body: [UInt8]) throws {
    guard let message = try? JSONDecoder().decode(Traccar.self, from: Data(body)) else {
      throw InvalidMessage(text: "the body is not JSON of Traccar Client 9 or later")
    }
    guard let location = message.location else {
      self = .other
      return
    }
    let time = try location.timestamp.map { text in
      guard let time = Timestamp(text) else {
        throw InvalidMessage(text: "timestamp must be a time in RFC 3339 format")
      }
      return time
    }
    let position = try Self.position(
      (location.coords?.latitude, "latitude"), (location.coords?.longitude, "longitude"),
      accuracy: (location.coords?.accuracy, "accuracy"), time: time)
    self = .position(position, token: message.device_id)
  }

  private static func position(
    _ latitude: (value: Double?, name: String), _ longitude: (value: Double?, name: String),
    accuracy: (value: Double?, name: String), time: Timestamp?
  ) throws -> Position {
    guard let north = latitude.value, Coordinate.latitudes.contains(north) else {
      throw InvalidMessage(text: "\(latitude.name) must be set, and lie in -90...90")
    }
    guard let east = longitude.value, Coordinate.longitudes.contains(east) else {
      throw InvalidMessage(text: "\(longitude.name) must be set, and lie in -180...180")
    }
    // Negative if the phone does not know it.
    let meters = max(0, accuracy.value ?? 0)
    guard meters <= Position.Limits.accuracy, let coordinate = Coordinate(latitude: north, longitude: east) else {
      throw InvalidMessage(text: "\(accuracy.name) must be at most 20,000,000")
    }
    return Position(coordinate, accuracy: meters, time: time)
  }

  private static func time(seconds: Double, _ name: String) throws -> Timestamp {
    guard (0...253_402_300_799).contains(seconds) else {
      throw InvalidMessage(text: "\(name) must be a number of seconds since 1970")
    }
    return Timestamp(microseconds: Int64(seconds) * 1_000_000)
  }
}
