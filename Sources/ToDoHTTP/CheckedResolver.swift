#if Nominatim
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Resolves a host name once, and returns only addresses that a check permits. The connection is made to one of them, so a name
/// whose addresses change after the check leads nowhere else.
final class CheckedResolver: Resolver, Sendable {
  private let permits: @Sendable (SocketAddress) -> Bool
  /// Threads of its own: a name server that does not answer blocks a thread for many seconds.
  private static let threads: NIOThreadPool = {
    let threads = NIOThreadPool(numberOfThreads: 64)
    threads.start()
    return threads
  }()
  private let v4: EventLoopPromise<[SocketAddress]>
  private let v6: EventLoopPromise<[SocketAddress]>
  private let isCancelled = Atomic(false)

  init(on loop: any EventLoop, _ permits: @escaping @Sendable (SocketAddress) -> Bool) {
    self.permits = permits
    (v4, v6) = (loop.makePromise(), loop.makePromise())
  }

  /// The query for IPv6 addresses resolves both.
  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4.futureResult }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    let addresses = Self.threads.runIfActive(eventLoop: v6.futureResult.eventLoop) { [self] in
      // Slow look-ups occupy the threads, and others wait behind them until their requests have ended.
      guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
      return try Self.addresses(of: host, port: port)
    }
    addresses.whenComplete { [self] result in
      complete(v6, result.map { addresses in addresses.filter { $0.protocol == .inet6 } })
      complete(v4, result.map { addresses in addresses.filter { $0.protocol == .inet } })
    }
    return v6.futureResult
  }

  func cancelQueries() { isCancelled.store(true, ordering: .relaxed) }

  private func complete(
    _ promise: EventLoopPromise<[SocketAddress]>, _ result: Result<[SocketAddress], any Error>
  ) {
    promise.completeWith(
      result.flatMap { addresses in
        let permitted = addresses.filter(permits)
        return permitted.isEmpty && !addresses.isEmpty ? .failure(HTTPError.refusedDestination) : .success(permitted)
      })
  }

  /// Blocks until the host name is resolved.
  private static func addresses(of host: String, port: Int) throws -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
      throw HTTPError.unavailable(detail: "the host name \(host) cannot be resolved")
    }
    defer { freeaddrinfo(list) }
    return sequence(first: list) { $0?.pointee.ai_next }.compactMap { entry in
      guard let entry = entry?.pointee, let bytes = UnsafeRawPointer(entry.ai_addr) else { return nil }
      switch entry.ai_family {
      case AF_INET: return SocketAddress(bytes.load(as: sockaddr_in.self), host: host)
      case AF_INET6: return SocketAddress(bytes.load(as: sockaddr_in6.self), host: host)
      default: return nil
      }
    }
  }
}
#endif
