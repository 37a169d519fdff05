package import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file of a listening Unix socket.
///
/// The socket is bound under a temporary name, gets its mode, listens, and is then renamed to its path. No client can
/// connect before the mode is right, because the socket does not listen until then. The rename replaces the file of a
/// server that has crashed in one step.
package struct SocketFile: Sendable {
  private let path: String
  /// Which file it is: another server may put its own in the same place one day.
  private let number: ino_t

  /// - Parameters:
  ///   - isOpen: whether every user may open it, and not the process's own alone.
  ///   - listen: makes a channel of a bound socket, which listens from then on.
  /// - Throws: `EndpointError` when a server is listening there, or another kind of file is there.
  package static func bind(
    _ path: String, isOpen: Bool, _ listen: (NIOBSDSocket.Handle) async throws -> any Channel
  ) async throws -> (any Channel, SocketFile) {
    try await refuseIfTaken(path)
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    let descriptor = try boundSocket(temporary)
    var status = stat()
    guard chmod(temporary, isOpen ? 0o666 : 0o600) == 0, lstat(temporary, &status) == 0 else {
      let error = notInPlace(path)
      close(descriptor)
      unlink(temporary)
      throw error
    }
    let channel: any Channel
    do { channel = try await listen(descriptor) } catch {
      unlink(temporary)
      throw error
    }
    // The channel has set a backlog of its own, which is shorter.
    guard systemListen(descriptor, backlog) == 0, rename(temporary, path) == 0 else {
      let error = notInPlace(path)
      unlink(temporary)
      try? await channel.close()
      throw error
    }
    return (channel, SocketFile(path: path, number: status.st_ino))
  }

  /// The number of connections that may wait to be accepted.
  package static let backlog: Int32 = 1024

  /// Returns a socket that is bound to a path and does not listen yet.
  private static func boundSocket(_ path: String) throws -> NIOBSDSocket.Handle {
    let address = try SocketAddress(unixDomainSocketPath: path)
    let descriptor = systemSocket()
    guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard address.withSockAddr({ systemBind(descriptor, $0, socklen_t($1)) }) == 0 else {
      let error = IOError(errnoCode: errno, reason: "bind")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func notInPlace(_ path: String) -> EndpointError {
    let reason = IOError(errnoCode: errno, reason: "the socket file cannot be put in place")
    return EndpointError(.unix(path: path), "cannot listen", reason)
  }

  package func remove() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_ino == number { unlink(path) }
  }

  private static func refuseIfTaken(_ path: String) async throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw EndpointError(.unix(path: path), "a file that is no socket is in the way")
    }
    let probe = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(1))
    do {
      let channel = try await probe.connect(unixDomainSocketPath: path).get()
      try? await channel.close()
    } catch let error as IOError where [ECONNREFUSED, ENOENT].contains(error.errnoCode) {
      return
    } catch {
      // A server that is too busy, or another user's, is a server all the same.
    }
    throw EndpointError(.unix(path: path), "a server is listening there already")
  }
}

// The members of `SocketFile` have the names of these functions.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_UNIX, Int32(SOCK_STREAM), 0)
  #endif
}
