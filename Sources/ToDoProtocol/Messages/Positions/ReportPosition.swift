import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

// No error contains a part of a position, because errors are logged.

extension Codec where Value == Position {
  static var reportPositionRequest: Codec {
    Codec(todo__v1__report_position_request__init) { message in
      guard let position = message.position?.pointee else { throw ToDoError.missing("position") }
      var violations: [FieldViolation] = []
      let coordinate = Coordinate(position.coordinate?.pointee, &violations)
      let time = position.time.flatMap { Timestamp($0.pointee, at: "position.time", &violations) }
      guard let coordinate, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return Position(coordinate, accuracy: position.accuracy_meters, time: time)
    } encode: { position, message, arena in
      let new = arena.make(todo__v1__position__init)
      new.pointee.coordinate = position.coordinate.message(in: arena)
      new.pointee.accuracy_meters = position.accuracy
      new.pointee.time = position.time?.message(in: arena)
      message.pointee.position = new
    }
  }
}

extension Coordinate {
  fileprivate init?(_ message: Google__Type__LatLng?, _ violations: inout [FieldViolation]) {
    guard let message else {
      violations.append(FieldViolation("position.coordinate", "must be set"))
      return nil
    }
    if !Self.latitudes.contains(message.latitude) {
      violations.append(FieldViolation("position.coordinate.latitude", "must lie in -90...90"))
    }
    if !Self.longitudes.contains(message.longitude) {
      violations.append(FieldViolation("position.coordinate.longitude", "must lie in -180...180"))
    }
    self.init(latitude: message.latitude, longitude: message.longitude)
  }
}

extension Codec where Value == [PlaceReminder] {
  static var reportPositionResponse: Codec {
    Codec(todo__v1__report_position_response__init) { message in
      try UnsafeBufferPointer(start: message.reminders, count: message.n_reminders)
        .messages(of: "reminders", upTo: receivedReminders) { try PlaceReminder(response: $0, at: $1()) }
    } encode: { reminders, message, arena in
      message.pointee.n_reminders = reminders.count
      message.pointee.reminders = arena.array(reminders.map { $0.message(in: arena) })
    }
  }

  /// The maximum number of reminders in a response, even of a later server.
  private static var receivedReminders: Int { 10_000 }
}

extension PlaceReminder {
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response message: Todo__V1__TriggeredReminder, at path: String) throws {
    var violations: [FieldViolation] = []
    let item = try ItemID(message.item_id, at: "\(path).item_id", &violations)
    guard let item else { throw RPCError.malformedResponse(violations) }
    guard message.number >= 0 else { throw RPCError.malformedResponse("\(path).number", "must be at least 0") }
    guard let event = Event.allCases.first(where: { $0.wire == message.event }) else {
      throw RPCError.malformedResponse("\(path).event", "must be a known event")
    }
    self.init(
      list: try ListID(response: message.list, at: "\(path).list"), item: item, number: ItemNumber(message.number),
      title: try message.title.text("\(path).title"), event: event)
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__TriggeredReminder> {
    let message = arena.make(todo__v1__triggered_reminder__init)
    message.pointee.list = list.bytes(in: arena)
    message.pointee.item_id = item.bytes(in: arena)
    message.pointee.number = number.value
    message.pointee.title = arena.bytes(title)
    message.pointee.event = event.wire
    return message
  }
}

extension PlaceReminder.Event {
  fileprivate var wire: Todo__V1__PlaceTrigger {
    switch self {
    case .arriving: TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_ARRIVING
    case .leaving: TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_LEAVING
    }
  }
}
