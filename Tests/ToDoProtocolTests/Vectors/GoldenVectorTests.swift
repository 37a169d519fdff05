import CToDoProtos
import Foundation
import NIOCore
import Testing
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC

/// The vectors in Protos/vectors, which another implementation of protobuf generated.
@Suite struct GoldenVectorTests {
  /// Decodes a message into a Swift value, and encodes the value again.
  private typealias RoundTrip =
    @Sendable (UnsafeRawBufferPointer, Arena) throws -> UnsafePointer<ProtobufCMessage>

  /// The round trip of each message of the schema, by its full name.
  private static let roundTrips: [String: RoundTrip] = {
    var all: [String: RoundTrip] = [:]
    func add<Request, Response>(_ method: Method<Request, Response>, _ package: String, _ name: String? = nil) {
      let name = "\(package).\(name ?? method.name.method)"
      all[name + "Request"] = { method.request.encode(try method.request.decode($0, $1), $1) }
      all[name + "Response"] = { method.response.encode(try method.response.decode($0, $1), $1) }
    }
    add(ToDoMethods.addItem, "todo.v1")
    add(ToDoMethods.batchAddItems, "todo.v1")
    add(ToDoMethods.getItem, "todo.v1")
    add(ToDoMethods.listItems, "todo.v1")
    add(ToDoMethods.updateItem, "todo.v1")
    add(ToDoMethods.checkItem, "todo.v1")
    add(ToDoMethods.uncheckItem, "todo.v1")
    add(ToDoMethods.deleteItem, "todo.v1")
    add(ToDoMethods.deleteItems, "todo.v1")
    add(ToDoMethods.listNearbyItems, "todo.v1")
    add(ToDoMethods.geocodeAddress, "todo.v1")
    add(ToDoMethods.watchItems, "todo.v1")
    add(ToDoMethods.listChanges, "todo.v1")
    add(ToDoMethods.parseQuickAdd, "todo.v1")
    add(ToDoMethods.getServerInfo, "todo.v1")
    add(ListMethods.createList, "todo.v1")
    add(ListMethods.getList, "todo.v1")
    add(ListMethods.listLists, "todo.v1")
    add(ListMethods.updateList, "todo.v1")
    add(ListMethods.deleteList, "todo.v1")
    add(ListMethods.undeleteList, "todo.v1")
    add(ListMethods.moveItems, "todo.v1")
    add(ListMethods.shareList, "todo.v1")
    add(ListMethods.unshareList, "todo.v1")
    add(ListMethods.acceptList, "todo.v1")
    add(ListMethods.leaveList, "todo.v1")
    add(ListMethods.watchLists, "todo.v1")
    add(NotificationMethods.addTarget, "todo.v1")
    add(NotificationMethods.listTargets, "todo.v1")
    add(NotificationMethods.removeTarget, "todo.v1")
    add(NotificationMethods.confirmTarget, "todo.v1")
    add(NotificationMethods.testTarget, "todo.v1")
    add(PositionMethods.reportPosition, "todo.v1")
    add(ReminderMethods.watchReminders, "todo.v1")
    add(ReminderMethods.acknowledgeReminder, "todo.v1")
    add(ConnectionMethods.cancelCall, "todo.v1")
    add(ConnectionMethods.authenticate, "todo.v1")
    add(HealthMethods.check, "grpc.health.v1", "HealthCheck")
    return all
  }()

  @Test(arguments: try MessageVector.all())
  func message_ofVector_roundTrips(_ vector: MessageVector) throws {
    let bytes = try vector.hex.hexadecimalBytes
    let arena = Arena()
    let written = try bytes.withUnsafeBytes { data in
      Array(arena.pack(try rewritten(vector.message, data, arena)))
    }
    #expect(written == bytes)
  }

  @Test func everyMessage_ofSchema_hasVector() throws {
    let messages = Set(try MessageVector.all().map(\.message))
    #expect(messages.symmetricDifference(Self.roundTrips.keys) == [])
  }

  @Test(arguments: try FrameVector.all())
  func frame_ofVector_roundTrips(_ vector: FrameVector) throws {
    let bytes = try vector.hex.hexadecimalBytes
    var buffer = ByteBuffer(bytes: bytes)
    var decoder = FrameDecoder()
    guard case .frame(let header, let data)? = try decoder.decode(buffer: &buffer) else {
      Issue.record("no frame")
      return
    }
    #expect(header.streamID.rawValue == vector.frame.streamID)
    #expect(header.type.rawValue == ["request": 1, "response": 2, "data": 3][vector.frame.type])
    let flags = vector.frame.flags.map { ["remote closed": 1, "remote open": 2, "no data": 4][$0] ?? 0 }
    #expect(header.flags.rawValue == flags.reduce(0, |))

    var written = ByteBuffer()
    written.writeFrameHeader(header)
    written.writeImmutableBuffer(try rewritten(data, vector))
    #expect(Array(buffer: written) == bytes)
  }

  /// Decodes the data of a frame and encodes it again.
  private func rewritten(_ data: ByteBuffer, _ vector: FrameVector) throws -> ByteBuffer {
    let arena = Arena()
    var buffer = ByteBuffer()
    try data.withUnsafeReadableBytes { bytes in
      if let request = vector.request {
        let envelope = try RequestEnvelope(decoding: bytes, in: arena)
        let name = MethodName(
          service: String(decoding: envelope.service, as: UTF8.self),
          method: String(decoding: envelope.method, as: UTF8.self))
        let message = try rewritten(request.payload.message, envelope.payload, arena)
        buffer.writeRequestEnvelope(
          name, timeout: envelope.timeout, metadata: try envelope.metadata(), payload: .message(message),
          arena: arena)
      } else if let response = vector.response {
        let envelope = try ResponseEnvelope(decoding: bytes, in: arena)
        if let error = try envelope.error(in: arena) {
          buffer.writeResponseEnvelope(error: error, arena: arena)
        } else {
          let name = try #require(response.payload).message
          let message = try rewritten(name, envelope.payload, arena)
          buffer.writeResponseEnvelope(payload: .message(message), arena: arena)
        }
      } else if let data = vector.data {
        buffer.writeMessage(try rewritten(data.message, bytes, arena))
      }
    }
    return buffer
  }

  private func rewritten(
    _ name: String, _ bytes: UnsafeRawBufferPointer, _ arena: Arena
  ) throws -> UnsafePointer<ProtobufCMessage> {
    let roundTrip = try #require(Self.roundTrips[name], "\(name) has no codec here")
    return try roundTrip(bytes, arena)
  }
}

struct MessageVector: Decodable, CustomTestStringConvertible {
  let name: String
  let message: String
  let hex: String

  var testDescription: String { name }

  static func all() throws -> [MessageVector] { try vectors("messages") }
}

struct FrameVector: Decodable, CustomTestStringConvertible {
  struct Header: Decodable {
    let streamID: UInt32
    let type: String
    let flags: [String]

    enum CodingKeys: String, CodingKey {
      case streamID = "stream_id"
      case type, flags
    }
  }

  /// These tests do not use the JSON form of a message.
  struct Message: Decodable {
    let message: String
  }

  struct Request: Decodable {
    let payload: Message
  }

  /// A frame without a payload contains an error.
  struct Response: Decodable {
    let payload: Message?
  }

  let name: String
  let frame: Header
  let hex: String
  let request: Request?
  let response: Response?
  let data: Message?

  var testDescription: String { name }

  static func all() throws -> [FrameVector] { try vectors("frames") }
}

private func vectors<Vector: Decodable>(_ name: String) throws -> [Vector] {
  let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  let file = root.appending(path: "Protos/vectors/\(name).json")
  return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
}

extension String {
  fileprivate var hexadecimalBytes: [UInt8] {
    get throws {
      try stride(from: 0, to: count, by: 2).map { offset in
        let start = index(startIndex, offsetBy: offset)
        return try #require(UInt8(self[start..<index(start, offsetBy: 2)], radix: 16))
      }
    }
  }
}
