/// A mail server that takes messages for others, as an operator names it.
package struct SMTPServer: Equatable, Sendable {
  /// The encryption of a connection.
  package enum Security: Equatable, Sendable {
    /// With the command STARTTLS, which the server must offer.
    case startTLS
    /// From the first byte.
    case implicitTLS
    /// Not at all. The connection is closed unless it leads to this machine.
    case loopbackOnly
  }

  /// A name and a password for the command AUTH PLAIN.
  package struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    let name: String
    let password: String

    /// Creates credentials. Neither can contain a NUL, which separates them.
    package init?(name: String, password: String) {
      guard !(name + password).utf8.contains(0), !name.isEmpty, !password.isEmpty else { return nil }
      (self.name, self.password) = (name, password)
    }

    /// The name.
    package var description: String { name }

    /// No part of the credentials.
    package var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The host name or the address, without brackets.
  package let host: String
  /// The port.
  package let port: Int
  /// The encryption of connections to the server.
  package let security: Security

  /// Creates a server.
  package init(host: String, port: Int, security: Security) {
    (self.host, self.port, self.security) = (host, port, security)
  }

  /// Parses `smtp://HOST[:PORT]`, whose connections use STARTTLS unless the host is this machine, or `smtps://HOST[:PORT]`. Returns
  /// `nil` for any other text.
  package init?(_ text: String) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    let isImplicit: Bool
    switch text[..<separator.lowerBound].lowercased() {
    case "smtp": isImplicit = false
    case "smtps": isImplicit = true
    default: return nil
    }
    var rest = text[separator.upperBound...]
    if rest.last == "/" { rest.removeLast() }
    guard let (host, suffix) = Self.host(in: rest) else { return nil }
    var port = isImplicit ? 465 : 587
    if !suffix.isEmpty {
      let digits = suffix.dropFirst()
      guard suffix.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { return nil }
      port = number
    }
    self.init(
      host: host, port: port,
      security: isImplicit ? .implicitTLS : Self.isLoopback(host) ? .loopbackOnly : .startTLS)
  }

  private static func host(in text: Substring) -> (host: String, suffix: Substring)? {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let address = text[..<end].dropFirst()
      let isAddress =
        address.utf8.contains(UInt8(ascii: ":"))
        && address.utf8.allSatisfy { ":.".utf8.contains($0) || isHexadecimal($0) }
      return isAddress ? (address.lowercased(), text[end...].dropFirst()) : nil
    }
    let end = text.firstIndex(of: ":") ?? text.endIndex
    let name = text[..<end]
    let isName =
      (1...253).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        "-._".utf8.contains($0) || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
      }
    return isName ? (name.lowercased(), text[end...]) : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// Whether a host is this machine by its name. The address of the connection is checked as well.
  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
