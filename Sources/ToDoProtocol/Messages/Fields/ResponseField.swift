import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

// The validation of response fields by the client. Each violation is `RPCError.malformedResponse`.

/// The limits of response fields that have no limit of their own in ToDoModel.
package enum ResponseLimits {
  /// The maximum size of a version, a capability or a geocoder's name, in bytes of UTF-8.
  package static let name = 256
  /// The maximum size of a place name, in bytes of UTF-8.
  package static let displayName = 1024
  /// The maximum size of an attribution, in bytes of UTF-8. It is enough for the attributions of 50 candidates.
  package static let attribution = 65_536
  /// The maximum size of a page token, in bytes.
  package static let pageToken = 4096
  /// The maximum number of fields that a change set. It leaves room for fields of later schema versions.
  package static let changedFields = 64
  /// The maximum number of capabilities.
  package static let capabilities = 256
  /// The maximum distance between two places, in meters: half the length of the equator.
  package static let distance = 20_037_509.0
}

extension RPCError {
  /// Returns the error for the first of some violations.
  static func malformedResponse(_ violations: [FieldViolation]) -> RPCError {
    malformedResponse(violations.first?.field ?? "the message", violations.first?.reason ?? "is not valid")
  }
}

extension ProtobufCBinaryData {
  /// Returns the text of a response field that a server generates: one line without control characters.
  ///
  /// - Parameter limit: the maximum size in bytes of UTF-8.
  func line(_ field: @autoclosure () -> String, upTo limit: Int) throws -> String {
    guard len <= limit else {
      throw RPCError.malformedResponse(field(), "is \(len) bytes long; at most \(limit) are allowed")
    }
    let text = try text(field())
    guard !text.unicodeScalars.contains(where: \.isControl) else {
      throw RPCError.malformedResponse(field(), "must not contain control characters")
    }
    return text
  }

  /// Returns a page token, or `nil` if the field is empty.
  func pageToken() throws -> String? {
    isEmpty ? nil : try line("next_page_token", upTo: ResponseLimits.pageToken)
  }
}

extension Revision {
  /// Decodes the revision of a response.
  ///
  /// - Parameter minimum: 1 for a change's revision, 0 for a list's revision.
  init(response number: Int64, at field: @autoclosure () -> String, minimum: Int64 = 0) throws {
    guard number >= minimum else {
      throw RPCError.malformedResponse(field(), "is \(number); it must be at least \(minimum)")
    }
    self.init(number)
  }
}

extension Timestamp {
  /// Decodes a required time of a response.
  init(response message: UnsafeMutablePointer<Google__Protobuf__Timestamp>?, at field: @autoclosure () -> String) throws
  {
    guard let message = message?.pointee else { throw RPCError.malformedResponse(field(), "must be set") }
    guard let time = Timestamp(message) else {
      throw RPCError.malformedResponse(field(), "must be a time in the years 1 to 9999")
    }
    self = time
  }
}

extension UnsafeBufferPointer {
  /// Decodes the messages of a repeated field.
  ///
  /// - Parameters:
  ///   - field: the field name.
  ///   - limit: the maximum number of elements.
  func messages<Message, Value>(
    of field: String, upTo limit: Int = .max, _ read: (Message, _ path: @autoclosure () -> String) throws -> Value
  ) throws -> [Value] where Element == UnsafeMutablePointer<Message>? {
    guard count <= limit else {
      throw RPCError.malformedResponse(field, "has \(count) elements; at most \(limit) are allowed")
    }
    return try enumerated().map { index, element in
      guard let element else { throw RPCError.malformedResponse("\(field)[\(index)]", "must be set") }
      return try read(element.pointee, "\(field)[\(index)]")
    }
  }
}
