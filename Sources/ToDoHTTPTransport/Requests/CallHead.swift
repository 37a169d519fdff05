#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC

/// The headers of a call, validated.
struct CallHead: Equatable, Sendable {
  /// The caller's timeout; `nil` if the caller did not set one.
  let timeout: Duration?
  /// Whether the request may be compressed with gzip.
  let isCompressed: Bool
  /// Whether the caller can read responses that are compressed with gzip.
  let acceptsGzip: Bool
  /// The caller's metadata, without the headers of HTTP and the protocol itself.
  let metadata: Metadata
}

/// The headers of the Connect protocol. Every header that it gives a meaning to is parsed here and nowhere else.
extension CallHead {
  /// Validates the headers of a request. The responses of streams are never compressed.
  ///
  /// - Throws: `RPCError`.
  init(connect headers: HTTPHeaders, isStream: Bool) throws(RPCError) {
    let versions = headers["connect-protocol-version"]
    guard versions.allSatisfy({ $0 == "1" }) else {
      throw .malformed("Connect-Protocol-Version is not 1")
    }
    isCompressed = try Self.isCompressed(headers, isStream: isStream)
    acceptsGzip = !isStream && Self.acceptsGzip(headers)
    timeout = try Self.timeout(headers["connect-timeout-ms"])
    metadata = Metadata(headers)
  }

  private static func isCompressed(_ headers: HTTPHeaders, isStream: Bool) throws(RPCError) -> Bool {
    let ofBody = encodings("content-encoding", headers)
    // In a stream, Content-Encoding would be that of the whole body.
    guard !isStream || ofBody.isEmpty else { throw .unsupportedContentEncoding }
    let encodings = isStream ? encodings("connect-content-encoding", headers) : ofBody
    guard encodings.isEmpty || encodings == ["gzip"] else { throw .unsupportedContentEncoding }
    return !encodings.isEmpty
  }

  private static func encodings(_ name: String, _ headers: HTTPHeaders) -> [String] {
    headers[name].filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Whether the sender of a request can read a response that is compressed with gzip.
  static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: "accept-encoding"].contains(where: isGzip)
  }

  /// Whether an element of Accept-Encoding is gzip. A weight of 0 means that the caller cannot read it.
  private static func isGzip(_ element: Substring) -> Bool {
    let parts = element.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
    guard parts.first == "gzip" else { return false }
    return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
  }

  /// Parses a number of at most ten digits, in milliseconds.
  private static func timeout(_ values: [String]) throws(RPCError) -> Duration? {
    guard let text = values.first else { return nil }
    guard values.count == 1, (1...10).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int64(text)
    else { throw .malformed("Connect-Timeout-Ms is not a number of at most ten digits") }
    return .milliseconds(number)
  }
}

extension Metadata {
  /// Creates a request's metadata: its headers without those of HTTP and the Connect protocol.
  init(_ headers: HTTPHeaders) {
    self.init()
    for (name, value) in headers where !Self.isReserved(name.lowercased()) { append(name, value) }
  }

  private static func isReserved(_ name: String) -> Bool {
    reserved.contains(name) || reservedPrefixes.contains { name.hasPrefix($0) }
  }

  private static let reserved: Set<String> = [
    "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host", "keep-alive",
    "origin", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  private static let reservedPrefixes = ["accept", "access-control-", "connect-", "sec-"]
}

extension RPCError {
  /// The caller compresses its messages in a way that this server does not support.
  static let unsupportedContentEncoding = RPCError(
    .unimplemented, reason: "UNSUPPORTED_ENCODING",
    "the call compresses its messages in a way that is not supported; use gzip")
}
#endif
