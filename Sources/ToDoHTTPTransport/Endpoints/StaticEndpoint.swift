#if HTTP
package import NIOCore
import Synchronization
import ToDoCompression
import ToDoRPC

/// A file, which is the same for everyone. Browsers keep it, and ask before each use whether it has changed.
package final class StaticEndpoint: HTTPEndpoint {
  package let path: String
  package let methods: Set<String> = ["GET", "HEAD"]
  package let maximumBodySize = 0
  package let isPublic = true
  private let contentType: String
  private let headers: [String: String]
  /// The size limit of the content, if it is stored compressed.
  private let sizeOfCompressed: Int?
  private let content: @Sendable () -> ByteBuffer
  private let encoded = Mutex<Encoded?>(nil)

  /// The content in the forms in which it is sent.
  private struct Encoded: Sendable {
    let tag: String
    let plain: ByteBuffer
    /// Compressed, if that is worth it.
    let gzip: ByteBuffer?

    init(_ plain: ByteBuffer) {
      self.plain = plain
      tag = Self.tag(of: plain)
      var gzip = ByteBuffer()
      // Once for all requests.
      let isLarge = plain.readableBytes >= Gzip.minimumSize
      let isWorthIt = isLarge && (try? Gzip.compress(plain, into: &gzip, effort: .usual)) != nil
      self.gzip = isWorthIt && gzip.readableBytes < plain.readableBytes ? gzip : nil
    }

    /// Creates the forms of a content that is stored compressed.
    init(gzip: ByteBuffer, maximumSize: Int) throws(GzipError) {
      var plain = ByteBuffer()
      try Gzip.decompress(gzip, into: &plain, maximumSize: maximumSize)
      self.plain = plain
      self.gzip = gzip
      tag = Self.tag(of: plain)
    }

    /// Weak, because it stands for both forms.
    private static func tag(of plain: ByteBuffer) -> String { "W/\"" + String(plain.fingerprint, radix: 16) + "\"" }

    /// Whether a value of If-None-Match names the content.
    func matches(_ value: String) -> Bool {
      value.split(separator: ",").contains { $0.trimmingPrefix { $0 == " " }.prefix { $0 != " " } == tag }
    }
  }

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - headers: further headers, by their names in lower case.
  ///   - content: the file. Called once, for the first request.
  package init(
    path: String, contentType: String, headers: [String: String] = [:], content: @escaping @Sendable () -> ByteBuffer
  ) {
    self.path = path
    self.contentType = contentType
    self.headers = headers
    self.content = content
    sizeOfCompressed = nil
  }

  /// Creates an endpoint of a file that is stored compressed with gzip.
  ///
  /// - Parameters:
  ///   - maximumSize: the maximum number of bytes of the file, without compression.
  ///   - compressed: the compressed file. Called once, for the first request.
  package init(
    path: String, contentType: String, maximumSize: Int, compressed: @escaping @Sendable () -> ByteBuffer
  ) {
    self.path = path
    self.contentType = contentType
    headers = [:]
    content = compressed
    sizeOfCompressed = maximumSize
  }

  package func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    guard let encoded = try? encode() else { return HTTPEndpointResponse(RPCError.internal) }
    let isKnown = request.call.metadata.pairs.contains { $0.key == "if-none-match" && encoded.matches($0.value) }
    var response = HTTPEndpointResponse(status: isKnown ? 304 : 200, contentType: isKnown ? nil : contentType)
    response.headers = headers
    response.headers["cache-control"] = "no-cache"
    response.headers["etag"] = encoded.tag
    if encoded.gzip != nil { response.headers["vary"] = "accept-encoding" }
    if isKnown { return response }
    response.body = encoded.plain
    guard request.acceptsGzip, let gzip = encoded.gzip else { return response }
    response.body = gzip
    response.headers["content-encoding"] = "gzip"
    return response
  }

  /// Returns the forms of the content, which the first request creates.
  private func encode() throws(GzipError) -> Encoded {
    try encoded.withLock { encoded throws(GzipError) in
      if let encoded { return encoded }
      let new =
        if let sizeOfCompressed { try Encoded(gzip: content(), maximumSize: sizeOfCompressed) } else {
          Encoded(content())
        }
      encoded = new
      return new
    }
  }
}

extension ByteBuffer {
  /// A hash that differs when a file has been edited: FNV-1a.
  fileprivate var fingerprint: UInt64 {
    readableBytesView.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
#endif
