import ToDoTestSupport

/// An encoded item, built from the schema's field numbers.
enum WireItem {
  static let idText = "0198c0de-7000-7abc-8def-0123456789ab"

  /// `todo.v1.Item` with an ID and a title.
  static let valid = message()

  static func message(id: String = idText, title: String = "Milk") -> ProtobufBytes {
    ProtobufBytes().field(1, id).field(2, title)
  }

  /// `google.protobuf.Timestamp`
  static func timestamp(_ seconds: Int64, _ nanos: Int64) -> ProtobufBytes {
    ProtobufBytes().field(1, seconds).field(2, nanos)
  }

  /// `google.type.Date`
  static func date(_ year: Int64, _ month: Int64, _ day: Int64) -> ProtobufBytes {
    ProtobufBytes().field(1, year).field(2, month).field(3, day)
  }

  /// `google.type.LatLng`
  static func latLng(_ latitude: Double, _ longitude: Double) -> ProtobufBytes {
    ProtobufBytes().double(1, latitude).double(2, longitude)
  }
}

extension ProtobufBytes {
  func due(time: ProtobufBytes) -> ProtobufBytes { field(4, time) }
  func due(date: ProtobufBytes) -> ProtobufBytes { field(5, date) }
  func location(_ location: ProtobufBytes) -> ProtobufBytes { field(6, location) }

  /// The encoded request with this item: `AddItemRequest`, `UpdateItemRequest`, or the first item of
  /// `BatchAddItemsRequest`.
  var asItem: ProtobufBytes { ProtobufBytes().field(1, self) }
}
