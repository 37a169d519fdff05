import CToDoProtos
import NIOCore
import ToDoProtobuf
import ToDoProtobufJSON

extension FuzzTarget {
  /// The JSON of all messages. The first byte of the input selects the message; the rest is JSON and wire format.
  static let jsonMessages = FuzzTarget(name: "json-messages") { bytes in
    guard let first = bytes.first else { return }
    let types = Self.messageTypes
    let (json, descriptor) = types[Int(first) % types.count]
    let input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    checkText(input, json, descriptor)
    checkMessage(input, json, descriptor)
  }

  // The pointers are to constants of the generated code.
  nonisolated(unsafe) private static let messageTypes: [(MessageJSON, UnsafePointer<ProtobufCMessageDescriptor>)] = {
    let services = [
      todo__v1__to_do_service__descriptor, todo__v1__list_service__descriptor,
      todo__v1__notification_service__descriptor, todo__v1__position_service__descriptor,
      todo__v1__reminder_service__descriptor, todo__v1__feed_service__descriptor,
      todo__v1__sign_in_service__descriptor,
      grpc__health__v1__health__descriptor,
    ]
    let methods = services.flatMap { UnsafeBufferPointer(start: $0.methods, count: Int($0.n_methods)) }
    return methods.flatMap { [$0.input, $0.output] }.compactMap(\.self).map { (MessageJSON($0), $0) }
  }()

  /// Checks that a text that is accepted is a message that the server accepts, and that the message's own JSON is the same
  /// message.
  private static func checkText(
    _ text: UnsafeRawBufferPointer, _ json: MessageJSON, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) {
    let elements = 20
    guard let wire = decoded(text, json, maximumSize: 3000, maximumElements: elements) else { return }
    precondition(wire.readableBytes <= 3000, "a message is no larger than the limit")
    wire.withUnsafeReadableBytes { wire in
      let isValid: Void? = try? WireFormatValidator.check(wire, as: descriptor, maximumElements: elements)
      precondition(isValid != nil, "the wire format is valid")
    }
    var canonical = ByteBuffer()
    let isEncoded: Void? = try? json.encode(wire, into: &canonical)
    precondition(isEncoded != nil, "a decoded message can be encoded")
    let again = canonical.withUnsafeReadableBytes { decoded($0, json) }
    precondition(again == wire, "the JSON of a message is the same message")
  }

  /// Checks that the JSON of any message can be decoded.
  private static func checkMessage(
    _ wire: UnsafeRawBufferPointer, _ json: MessageJSON, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) {
    var text = ByteBuffer()
    let isEncoded: Void? = try? json.encode(wire, into: &text)
    guard isEncoded != nil else { return }
    let again = text.withUnsafeReadableBytes { decoded($0, json) }
    precondition(again != nil, "the JSON of a message can be decoded")
  }

  private static func decoded(
    _ text: UnsafeRawBufferPointer, _ json: MessageJSON, maximumSize: Int = .max, maximumElements: Int = .max
  ) -> ByteBuffer? {
    var wire = ByteBuffer()
    let isDecoded: Void? = try? json.decode(
      text, into: &wire, maximumSize: maximumSize, maximumElements: maximumElements)
    return isDecoded == nil ? nil : wire
  }
}
