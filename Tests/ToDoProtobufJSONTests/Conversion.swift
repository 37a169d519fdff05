import CToDoProtos
import NIOCore
import Testing
import ToDoProtobufJSON

/// Conversions of texts, and of wire format in hexadecimal digits.
extension MessageJSON {
  /// The converter of a message type.
  init<Message>(_ initialize: (UnsafeMutablePointer<Message>?) -> Void) { self.init(descriptor(initialize)) }

  static var allTypes: MessageJSON { MessageJSON(AllTypes.descriptor) }

  func wire(
    _ json: String, maximumSize: Int = .max, maximumElements: Int = .max
  ) throws(MessageJSONError) -> String {
    var message = ByteBuffer()
    try decode(
      ByteBuffer(string: json), into: &message, maximumSize: maximumSize, maximumElements: maximumElements)
    return message.readableBytesView.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }

  func text(_ hex: String, maximumSize: Int = .max) throws(MessageJSONError) -> String {
    var json = ByteBuffer()
    try encode(ByteBuffer(bytes: bytes(hex)), into: &json, maximumSize: maximumSize)
    return String(buffer: json)
  }

  /// The JSON of a message that was decoded from JSON.
  func again(_ json: String) throws(MessageJSONError) -> String { try text(wire(json)) }

  /// Expects an error whose description is equal to a text.
  func expectError(
    _ json: String, _ description: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do throws(MessageJSONError) {
      let wire = try wire(json)
      Issue.record("\(json) was decoded: \(wire)", sourceLocation: sourceLocation)
    } catch { #expect(error.description == description, sourceLocation: sourceLocation) }
  }
}

/// The descriptor of a message type.
///
/// - Parameter initialize: the message's generated `…__init` function. Referring to the C constant would copy it.
func descriptor<Message>(
  _ initialize: (UnsafeMutablePointer<Message>?) -> Void
) -> UnsafePointer<ProtobufCMessageDescriptor> {
  let message = UnsafeMutablePointer<Message>.allocate(capacity: 1)
  defer { message.deallocate() }
  initialize(message)
  return UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
}

private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
