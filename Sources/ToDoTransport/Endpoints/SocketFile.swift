import Glibc
package import NIOCore
import NIOPosix

/// The file of a listening Unix socket.
///
/// The socket is bound under a temporary name, gets its mode, listens, and is then renamed to its path. No client can
/// connect before the mode is right, because the socket does not listen until then. The rename replaces the file of a
/// server that has crashed in one step.
package struct SocketFile: Sendable {
  private let path: String
  /// The inode number, because another server may replace the file later.
  private let number: ino_t

  /// Binds a socket to a path and makes it listen.
  ///
  /// - Parameters:
  ///   - isOpen: whether every local user may open the file, instead of only the process's own user.
  ///   - listen: creates a channel of a bound socket, and makes the socket listen.
  /// - Throws: `EndpointError` if another server listens at the path, or if a file of another kind exists there.
  package static func bind(
    _ path: String, isOpen: Bool, _ listen: (NIOBSDSocket.Handle) async throws -> any Channel
  ) async throws -> (any Channel, SocketFile) {
    try await checkNotInUse(path)
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
    // The channel has set a shorter backlog.
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

  /// Deletes the file, unless another file has replaced it.
  package func remove() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_ino == number { unlink(path) }
  }

  private static func checkNotInUse(_ path: String) async throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw EndpointError(.unix(path: path), "a file that is not a socket exists there")
    }
    let probe = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(1))
    do {
      let channel = try await probe.connect(unixDomainSocketPath: path).get()
      try? await channel.close()
    } catch let error as IOError where [ECONNREFUSED, ENOENT].contains(error.errnoCode) {
      return
    } catch {
      // The server may be too busy, or belong to another user.
    }
    throw EndpointError(.unix(path: path), "a server is listening there already")
  }
}

// `SocketFile` has members with the names of these functions.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemSocket() -> Int32 {
  socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
}
