import NIOCore
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
/// It is bound under a passing name, made private, and only then moved to its path: nobody can connect to it before
/// its mode is right, and what a crashed server left behind is replaced in one step.
struct SocketFile: Sendable {
  private let path: String
  /// Which file it is: another server may put its own in the same place one day.
  private let number: ino_t

  /// - Parameter isOpen: whether every user may open it, and not the process's own alone.
  /// - Throws: `EndpointError` when a server is listening there, or another kind of file is there.
  static func bind(
    _ path: String, isOpen: Bool, _ bind: (String) async throws -> any Channel
  ) async throws -> (any Channel, SocketFile) {
    try await refuseIfTaken(path)
    let passing = "\(path).\(getpid())"
    unlink(passing)
    let channel = try await bind(passing)
    var status = stat()
    guard chmod(passing, isOpen ? 0o666 : 0o600) == 0, lstat(passing, &status) == 0, rename(passing, path) == 0 else {
      let reason = IOError(errnoCode: errno, reason: "the socket file cannot be put in place")
      unlink(passing)
      try? await channel.close()
      throw EndpointError(.unix(path: path), "cannot listen", reason)
    }
    return (channel, SocketFile(path: path, number: status.st_ino))
  }

  func remove() {
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
