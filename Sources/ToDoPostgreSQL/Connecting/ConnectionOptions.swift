#if PostgreSQL
import CToDoLibPQ
import Glibc

/// The options of libpq in a connection text.
struct ConnectionOptions {
  private struct Option {
    let keyword: String
    var value: String
    let isSecret: Bool
  }

  private var options: [Option] = []

  /// Parses a connection URI or `key=value` text; `nil` if it is invalid. The message of libpq is discarded because
  /// it may quote the password.
  ///
  /// A URI is invalid if libpq would read a part of an unescaped password as a host, a port, a database or a user, which
  /// errors name.
  init?(_ text: String) {
    guard !Self.isAmbiguous(text) else { return nil }
    var message: UnsafeMutablePointer<CChar>?
    let parsed = PQconninfoParse(text, &message)
    defer {
      PQfreemem(message)
      PQconninfoFree(parsed)
    }
    guard var next = parsed else { return nil }
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val {
        let isSecret = next.pointee.dispchar.map { $0.pointee == CChar(UInt8(ascii: "*")) } ?? false
        options.append(
          Option(keyword: String(cString: keyword), value: String(cString: value), isSecret: isSecret))
      }
      next += 1
    }
  }

  /// Whether an unescaped "@", "/" or "?" divides a URI differently than was probably meant: at an "@" after the
  /// hosts, at a port that is not a number, or at an "@" in a parameter.
  private static func isAmbiguous(_ text: String) -> Bool {
    guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else { return false }
    var rest = text.utf8.dropFirst(scheme.utf8.count)
    // As in libpq, a user name and a password end at the first "@" before any "/". They may contain "?".
    if let end = rest.firstIndex(where: { $0 == at || $0 == slash }), rest[end] == at {
      let parameters = rest[..<end].drop { $0 != question }
      if parameters.contains(UInt8(ascii: "=")) { return true }
      rest = rest[end...].dropFirst()
    }
    let location = rest.prefix { $0 != question }
    let hosts = location.prefix { $0 != slash }.split(separator: UInt8(ascii: ","))
    return location.contains(at) || hosts.contains { !hasNumericPort($0) }
  }

  private static let (at, slash, question) = (UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"))

  private static func hasNumericPort(_ host: Substring.UTF8View) -> Bool {
    let afterAddress = host[(host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex)...]
    let port = afterAddress.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether an option is a password.
  var hasSecret: Bool { options.contains(where: \.isSecret) }

  subscript(_ keyword: String) -> String? {
    get { options.first { $0.keyword == keyword }?.value }
    set {
      options.removeAll { $0.keyword == keyword }
      if let newValue { options.append(Option(keyword: keyword, value: newValue, isSecret: false)) }
    }
  }

  /// The options without secrets, in the form `key=value`.
  var redacted: String {
    options.filter { !$0.isSecret }.map { "\($0.keyword)=\($0.value)" }.joined(separator: " ")
  }

  /// The options of each host. Only these options if they do not list several hosts, or an invalid number of ports or
  /// addresses, which libpq then rejects.
  var ofEachHost: [ConnectionOptions] {
    let lists = ["host", "hostaddr", "port"].compactMap { keyword in self[keyword].map { (keyword, $0.elements) } }
    let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
    guard count > 1 else { return [self] }
    for (keyword, elements) in lists where elements.count != count && !(keyword == "port" && elements.count == 1) {
      return [self]
    }
    return (0..<count).map { index in
      var host = self
      for (keyword, elements) in lists { host[keyword] = elements.count == 1 ? elements[0] : elements[index] }
      return host
    }
  }

  /// Starts to connect. Blocks while the name of the host is resolved.
  ///
  /// - Returns: a connection that the caller closes, even if its state is `CONNECTION_BAD`; `nil` if there is no
  ///   memory.
  func startConnecting() -> OpaquePointer? {
    let keywords = options.map { strdup($0.keyword) }
    let values = options.map { strdup($0.value) }
    defer { for text in keywords + values { free(text) } }
    let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
    let valuePointers = values.map { UnsafePointer($0) } + [nil]
    return PQconnectStartParams(keywordPointers, valuePointers, 0)
  }
}

extension String {
  fileprivate var elements: [String] { split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
}
#endif
