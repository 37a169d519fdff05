#if Nominatim
import Glibc
import NIOCore
package import ToDoHTTP
package import ToDoModel
package import ToDoRules

/// Sends messages to ntfy servers and webhooks.
package struct HTTPNotificationSender: NotificationSender {
  private let client: any HTTPPoster
  private let policy: AddressPolicy
  private let clock: any Clock<Duration>
  private let wallClock: any WallClock
  private let timeZones: any TimeZones

  /// The time limit of an attempt.
  static let limit = Duration.seconds(10)

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - product: the value of the header `User-Agent`.
  ///   - policy: the destinations to which messages may be sent.
  package init(product: String, policy: AddressPolicy) {
    let limits = NIOHTTPFetcher.Limits(connectTimeout: Self.limit, bodySize: 4_096)
    self.init(
      client: NIOHTTPFetcher(userAgent: product, limits: limits), policy: policy, clock: ContinuousClock(),
      wallClock: SystemWallClock(), timeZones: TimeZoneFiles())
  }

  /// - Parameters:
  ///   - clock: the clock of the time limit.
  ///   - wallClock: the clock of signatures.
  package init(
    client: any HTTPPoster, policy: AddressPolicy, clock: any Clock<Duration>, wallClock: any WallClock,
    timeZones: any TimeZones
  ) {
    (self.client, self.policy, self.clock) = (client, policy, clock)
    (self.wallClock, self.timeZones) = (wallClock, timeZones)
  }

  package func send(_ message: NotificationMessage, to target: NotificationTarget) async -> DeliveryOutcome {
    guard let request = request(message, to: target) else { return .refused("the target is invalid") }
    let destinations = HTTPDestinations(port: policy.permits(port:)) { [policy] address in
      guard let address = DestinationAddress(address) else { return false }
      return policy.permits(address) && (policy == .any || !Self.isOfThisMachine(address))
    }
    do {
      let response = try await withDeadline(after: Self.limit, clock: clock) { [client] in
        try await client.post(request, to: destinations)
      }
      return DeliveryOutcome(status: response.status)
    } catch {
      switch error as? HTTPError {
      case .invalidURL, .refusedDestination: return .refused("\(error)")
      case let error?: return .failed("\(error)")
      case nil: return .failed("the attempt was cancelled")
      }
    }
  }

  /// Whether an address is in a network of this machine, which may have a public address without being public.
  private static func isOfThisMachine(_ address: DestinationAddress) -> Bool {
    guard let devices = try? System.enumerateDevices() else { return true }
    return devices.contains { device in
      guard let own = device.address.flatMap({ DestinationAddress($0) }) else { return false }
      return address.isInNetwork(of: own, mask: device.netmask.flatMap { DestinationAddress($0) })
    }
  }

  private func request(_ message: NotificationMessage, to target: NotificationTarget) -> HTTPClientRequest? {
    switch target.kind {
    case .ntfy:
      let request = NtfyRequest(message, to: target.url, token: target.secret) { timeZones.rules(of: $0) }
      return HTTPClientRequest(url: request.url, headers: request.headers.map(\.http), body: request.body)
    case .webhook:
      let request = target.secret.flatMap {
        WebhookRequest(message, to: target.url, secret: $0, at: wallClock.now())
      }
      return request.map { HTTPClientRequest(url: $0.url, headers: $0.headers.map(\.http), body: $0.body) }
    case .email: return nil
    }
  }
}

extension DeliveryOutcome {
  /// - Parameter status: the status of the response.
  init(status: Int) {
    switch status {
    case 200...299: self = .delivered
    case 408, 429, 500...599: self = .failed("the target answered with HTTP status \(status)")
    case 300...399: self = .refused("the server redirects (HTTP status \(status)); use the URL to which it does")
    default: self = .refused("the target answered with HTTP status \(status)")
    }
  }
}

extension DestinationAddress {
  /// The address of a socket; `nil` if it is not an IP address.
  init?(_ address: SocketAddress) {
    guard let text = address.ipAddress else { return nil }
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(bytes: withUnsafeBytes(of: v6) { Array($0) })
    } else {
      return nil
    }
  }
}

extension MessageHeader {
  fileprivate var http: HTTPClientRequest.Header { HTTPClientRequest.Header(name, value) }
}
#endif
