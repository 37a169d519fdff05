#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The hosts that denote this machine, independently of name servers.
enum LoopbackHost {
  /// Returns whether a host is an address of the loopback interface, or the name `localhost`.
  ///
  /// An address is an IPv4 address of four decimal numbers in 127.0.0.0/8, an IPv6 address that is `::1`, or one that
  /// maps such an IPv4 address. Any other name can resolve to any machine, also one that begins with `127.`.
  static func contains(_ host: String) -> Bool {
    // The C library would not see the characters after a NUL.
    guard !host.utf8.contains(0) else { return false }
    if host.lowercased() == "localhost" { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return bytes[0] == 127 }
    guard inet_pton(AF_INET6, host, &bytes) == 1, bytes.prefix(10).allSatisfy({ $0 == 0 }) else { return false }
    let isMapped = bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? bytes[12] == 127 : bytes.dropFirst(10).elementsEqual([0, 0, 0, 0, 0, 1])
  }
}
