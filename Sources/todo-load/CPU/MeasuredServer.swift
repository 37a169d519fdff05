import Glibc
import NIOCore

/// The server's process on this machine.
struct MeasuredServer: Sendable {
  let id: Int32

  init(id: Int32) {
    self.id = id
  }

  /// Finds the process at the other end of a connection.
  ///
  /// The result is `nil` if the peer is on another machine, is this process, or cannot be inspected.
  init?(servingOn channel: any Channel) async {
    let id: Int32? =
      if channel.remoteAddress?.protocol == .unix { await Self.unixPeer(channel) } else {
        await Self.networkPeer(channel)
      }
    guard let id, id > 0, id != getpid() else { return nil }
    self.init(id: id)
  }

  /// The CPU time that the process has used, with a resolution of ten milliseconds.
  var cpuTime: Nanoseconds? {
    ProcText.cpuTicks(stat: ProcText.read("/proc/\(id)/stat")).map {
      $0 * (.second / Nanoseconds(sysconf(Int32(_SC_CLK_TCK))))
    }
  }

  /// The layout of `struct ucred`, which the C library declares only if `_GNU_SOURCE` is defined.
  private struct Credentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
  }

  private static func unixPeer(_ channel: any Channel) async -> Int32? {
    guard let provider = channel as? any SocketOptionProvider else { return nil }
    let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    return try? await credentials.get().process
  }

  /// Returns the ID of the process that has a TCP connection's server end.
  ///
  /// Both ends of a connection within this machine are in the same table.
  private static func networkPeer(_ channel: any Channel) async -> Int32? {
    guard let local = channel.localAddress?.port, let remote = channel.remoteAddress?.port else { return nil }
    for _ in 0..<attempts {
      let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(ProcText.read)
      let inodes = tables.compactMap { ProcText.inode(tcp: $0, localPort: remote, remotePort: local) }
      guard let inode = inodes.first else { return nil }
      // The inode is 0 until the server accepts the connection.
      if inode != 0 { return owner(of: "socket:[\(inode)]") }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return nil }
    }
    return nil
  }

  private static let attempts = 50

  private static func owner(of file: String) -> Int32? {
    names(in: "/proc").compactMap { Int32($0) }.first { id in
      names(in: "/proc/\(id)/fd").contains { linkTarget("/proc/\(id)/fd/\($0)") == file }
    }
  }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private static func linkTarget(_ path: String) -> String {
    var target = [UInt8](repeating: 0, count: 256)
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? 0
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : ""
  }
}
