import Testing
import ToDoProtocol
import ToDoTestSupport

/// Encoded responses, built from the schema's field numbers: valid ones, and ones with an invalid field.
enum WireResponse {
  static let time = WireItem.timestamp(1_777_629_600, 0)

  /// `todo.v1.Item` of a response.
  ///
  /// - Parameter omitted: the number of a field to omit.
  static func item(without omitted: UInt64 = 0) -> ProtobufBytes {
    var item = ProtobufBytes()
    if omitted != 1 { item = item.field(1, WireItem.idText) }
    if omitted != 2 { item = item.field(2, "Milk") }
    if omitted != 8 { item = item.field(8, time) }
    if omitted != 9 { item = item.field(9, time) }
    if omitted != 11 { item = item.field(11, 5) }
    return item
  }

  static let place = ProtobufBytes().field(1, "Shop").field(3, WireItem.latLng(48, 11))
  static let nearby = ProtobufBytes().field(1, item().location(place))
  static let candidate = ProtobufBytes().field(1, WireItem.latLng(48, 11)).field(2, "Munich").field(4, "gazetteer")
  static let info = ProtobufBytes().field(1, "1.0").field(2, "1.2").field(3, "watch_items").field(6, time)
  static let change = ProtobufBytes().field(1, 5).field(2, time)
  static let put = change.field(3, ProtobufBytes().field(1, item()))
  static let deleted = ProtobufBytes().field(1, WireItem.idText)
  static let deletion = change.field(4, deleted)

  static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}

/// A response with one invalid field.
struct HostileResponse: Sendable, CustomTestStringConvertible {
  /// The path of the field, which the error must name.
  let field: String
  let what: String
  let decode: @Sendable () throws -> Void

  init<Value>(_ field: String, _ what: String, _ codec: Codec<Value>, _ message: ProtobufBytes) {
    self.field = field
    self.what = what
    decode = { _ = try codec.decode(message) }
  }

  var testDescription: String { "\(field): \(what)" }
}
