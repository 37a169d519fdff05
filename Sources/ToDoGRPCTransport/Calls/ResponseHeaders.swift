#if GRPC
package import NIOHPACK
import ToDoProtobuf
package import ToDoRPC
import ToDoTransport

extension HPACKHeaders {
  /// The headers before a call's first message.
  static let response: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]

  /// The headers before the first message of a call whose messages may be compressed.
  static let compressedResponse: HPACKHeaders = [
    ":status": "200", "content-type": "application/grpc", "grpc-encoding": MessageEncoding.gzip.rawValue,
  ]

  /// The trailers of a call that succeeded.
  package static let success: HPACKHeaders = ["grpc-status": "0"]

  /// The trailers of a call that failed after its headers were sent.
  package static func failure(_ error: RPCError) -> HPACKHeaders {
    let (sent, details) = error.fittingTrailers
    // An error with the code `ok` would look like success.
    let code = sent.code == .ok ? StatusCode.unknown : sent.code
    var trailers: HPACKHeaders = ["grpc-status": String(code.rawValue)]
    if !sent.message.isEmpty { trailers.add(name: "grpc-message", value: sent.message.percentEncoded) }
    trailers.add(name: RPCError.detailsKey, value: details.base64)
    if sent.reason == RPCError.unsupportedEncoding.reason {
      trailers.add(name: "grpc-accept-encoding", value: MessageEncoding.accepted)
    }
    return trailers
  }

  /// The only headers of a call that failed before others were sent.
  static func onlyFailure(_ error: RPCError) -> HPACKHeaders {
    var headers = response
    headers.add(contentsOf: failure(error))
    return headers
  }

  /// Appends metadata.
  mutating func add(contentsOf metadata: Metadata) {
    for (key, value) in metadata.pairs { add(name: key, value: value) }
  }

  /// The response to a request that is not gRPC.
  static func http(_ status: Int) -> HPACKHeaders { [":status": String(status)] }
}

extension String {
  /// The text in the encoding of `grpc-message`: `%`, and every byte that is not printable ASCII, as `%XX`.
  var percentEncoded: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if (0x20...0x7e).contains(byte), byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), Self.hexadecimal[Int(byte >> 4)], Self.hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

extension RPCError {
  /// The key of the trailer with the `google.rpc.Status`, which has an error's details.
  static let detailsKey = "grpc-status-details-bin"

  /// The key in ErrorInfo's metadata for the number of violations that a shortened error omits.
  static let omittedViolationsKey = "omitted_violations"

  /// The maximum size of a failed call's trailers. Clients reject more than 8 KiB, including 32 bytes of overhead for
  /// each header.
  private static let maximumTrailers = (8 << 10) - 256
  private static let shortMessage = 200

  /// The error, shortened to the maximum size of trailers, and the encoded `google.rpc.Status`.
  ///
  /// An error that is too large loses, until it fits, first most of its message, then violations from the end, then its
  /// metadata.
  var fittingTrailers: (RPCError, [UInt8]) {
    if let fitting { return fitting }
    var short = self
    short.message = short.message.shortened(to: Self.shortMessage)
    if let fitting = short.fitting { return fitting }
    if let fitting = short.withMostViolations { return fitting }
    short = RPCError(
      code, reason: String(reason.unicodeScalars.prefix(100)), domain: String(domain.unicodeScalars.prefix(100)),
      short.message, retryAfter: retryAfter)
    return (short, short.encodedStatus)
  }

  /// The error and its encoded status if both fit into trailers.
  private var fitting: (RPCError, [UInt8])? {
    guard message.utf8.count + violations.count <= Self.maximumTrailers else { return nil }
    let status = encodedStatus
    let size = message.percentEncoded.utf8.count + (status.count * 4 + 2) / 3
    return size <= Self.maximumTrailers ? (self, status) : nil
  }

  /// The error with as many violations as fit; `nil` if it does not fit without any.
  private var withMostViolations: (RPCError, [UInt8])? {
    // The binary search has found that `fits` violations fit and that `doesNot` violations do not.
    var (fits, doesNot) = (0, violations.count)
    guard var best = withViolations(0).fitting else { return nil }
    while doesNot - fits > 1 {
      let middle = (fits + doesNot) / 2
      if let found = withViolations(middle).fitting { (fits, best) = (middle, found) } else { doesNot = middle }
    }
    return best
  }

  private func withViolations(_ count: Int) -> RPCError {
    var error = self
    error.violations = Array(violations.prefix(count))
    if count < violations.count { error.metadata[Self.omittedViolationsKey] = String(violations.count - count) }
    return error
  }

  private var encodedStatus: [UInt8] {
    let arena = Arena()
    defer { arena.release() }
    return Array(arena.pack(status(in: arena).message))
  }
}

extension String {
  fileprivate func shortened(to count: Int) -> String {
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }
}
#endif
