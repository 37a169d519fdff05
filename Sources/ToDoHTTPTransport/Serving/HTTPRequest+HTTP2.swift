#if HTTP
package import NIOHPACK
import NIOHTTP1

extension HTTPRequest {
  /// Validates a stream's headers. The HTTP/2 handler has checked which pseudo-headers there are, and that a body is as
  /// long as `content-length` says.
  ///
  /// - Parameter hasBody: whether the stream continues after the headers.
  /// - Throws: `HTTPRejection`.
  package init(_ headers: HPACKHeaders, hasBody: Bool) throws(HTTPRejection) {
    let limits = HeadScanner.Limits()
    let size = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard headers.count <= limits.fields, size <= limits.bytes else { throw .headTooLarge }
    var fields = HTTPHeaders()
    for (name, value, _) in headers where !name.hasPrefix(":") && name != "cookie" && name != "host" {
      fields.add(name: name, value: value)
    }
    // HTTP/2 permits the parts of a cookie as headers of their own.
    let cookies = headers["cookie"]
    if !cookies.isEmpty { fields.add(name: "cookie", value: cookies.joined(separator: "; ")) }
    let hosts = Set((headers[":authority"] + headers["host"]).map { $0.lowercased() })
    guard hosts.count <= 1 else { throw .malformedHost }
    if let host = hosts.first { fields.add(name: "host", value: host) }
    let head = HTTPRequestHead(
      version: HTTPVersion(major: 2, minor: 0), method: HTTPMethod(rawValue: headers.first(name: ":method") ?? ""),
      uri: headers.first(name: ":path") ?? "", headers: fields)
    try self.init(head, body: hasBody ? Self.length(of: fields).map(Body.length) ?? .chunked : .none)
  }
}

extension HPACKHeaders {
  /// Whether a value begins or ends with a space or a tab, which HTTP/2 forbids and the HTTP/2 handler accepts.
  var haveSpaceAroundValues: Bool {
    contains { $0.value.utf8.first?.isSpace == true || $0.value.utf8.last?.isSpace == true }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
#endif
