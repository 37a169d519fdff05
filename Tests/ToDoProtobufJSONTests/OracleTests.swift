import CToDoProtos
import FoundationEssentials
import NIOCore
import Testing
import ToDoProtobuf
import ToDoProtobufJSON

/// The conversions, compared with those of Python's protobuf library, which Tests/Interop/python/json_messages.py recorded.
@Suite struct OracleTests {
  /// Texts whose results differ from Python's, and why.
  private static let differences: [String: String] = [
    #"{"pageSize":"+1"}"#: "Python reads numbers in strings more leniently than JSON.",
    #"{"state":"state_filter_done"}"#: "Python ignores names that the enumeration does not have.",
    #"{"state":"DONE"}"#: "Python ignores names that the enumeration does not have.",
    #"{"state":true}"#: "Python's Booleans are numbers.",
    #"{"item":{"location":{"coordinate":{"latitude":true}}}}"#: "Python's Booleans are numbers.",
    #"{"state":"2"}"#: "Python reads numbers of enumerations in strings.",
    #"{"pageSize":1,"page_size":2}"#: "Python does not notice that both names are those of one field.",
    #"{"filter":[]}"#: "Python reads an empty array as an empty object.",
    "[]": "Python reads an empty array as an empty object.",
  ]

  @Test func messages_areConvertedAsPythonDoes() throws {
    let lines = try table("messages.tsv")
    #expect(lines.count > 300)
    for line in lines {
      let json = try converter(line[0])
      #expect(try json.text(line[1]) == line[2], "\(line[0])")
      #expect(try json.wire(line[2]) == line[1], "\(line[0])")
    }
  }

  @Test func texts_areReadAsPythonDoes() throws {
    for line in try table("texts.tsv") {
      let json = try converter(line[0])
      let wire = (try? json.wire(line[1])) ?? "-"
      guard Self.differences[line[1]] == nil else {
        #expect(wire == "-" && line[2] != "-", "\(line[1]) is no difference")
        continue
      }
      #expect(wire == line[2], "\(line[1])")
    }
  }

  /// protobuf-c reads what the converter writes.
  @Test func messages_areAcceptedByTheValidator() throws {
    for line in try table("messages.tsv") {
      var message = ByteBuffer()
      try converter(line[0]).decode(ByteBuffer(string: line[2]), into: &message)
      let descriptor = try #require(Self.descriptors[line[0]])
      try message.withUnsafeReadableBytes { try WireFormatValidator.check($0, as: descriptor) }
    }
  }

  private func table(_ name: String) throws -> [[String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Messages/\(name)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private func converter(_ name: String) throws -> MessageJSON {
    MessageJSON(try #require(Self.descriptors[name], "\(name) has no descriptor"))
  }

  // The pointers are to constants of the generated code.
  nonisolated(unsafe) private static let descriptors: [String: UnsafePointer<ProtobufCMessageDescriptor>] = {
    let services = [
      todo__v1__to_do_service__descriptor, todo__v1__list_service__descriptor,
      todo__v1__notification_service__descriptor, todo__v1__position_service__descriptor,
      todo__v1__reminder_service__descriptor, todo__v1__feed_service__descriptor,
      todo__v1__sign_in_service__descriptor,
      todo__v1__connection_service__descriptor, grpc__health__v1__health__descriptor,
    ]
    let methods = services.flatMap { UnsafeBufferPointer(start: $0.methods, count: Int($0.n_methods)) }
    let details = [
      descriptor(google__rpc__error_info__init), descriptor(google__rpc__bad_request__init),
      descriptor(google__rpc__retry_info__init), descriptor(google__rpc__resource_info__init),
      descriptor(google__rpc__precondition_failure__init), descriptor(google__rpc__quota_failure__init),
    ]
    let all = methods.flatMap { [$0.input, $0.output] }.compactMap(\.self) + details
    return Dictionary(all.map { (String(cString: $0.pointee.name), $0) }) { first, _ in first }
  }()
}
