import TTRPC
import TTRPCTransport
import ToDoModel
import ToDoProtocol

/// How a watch's connection fares.
public enum WatchConnectionState: Sendable {
  /// It is being made for the first time.
  case connecting
  /// Events arrive as they happen.
  case connected
  /// It was lost and is being made again.
  case lost
}

/// One watch of a list over connections of its own, one after another.
final class ClientWatch {
  private var resumption: WatchResumption
  private let state: ItemState
  private let configuration: ToDoClient.Configuration
  private let endpoint: Endpoint
  private let connect: @Sendable () async throws -> ClientConnection
  private var stream: Stream?
  /// How many streams have failed since the last message came.
  private var failures = 0
  private var connectionState: WatchConnectionState?
  private var hasEnded = false

  /// A connection and the messages on it.
  private struct Stream {
    let connection: ClientConnection
    var messages: ResponseStream<WatchMessage>.AsyncIterator
    var order: WatchOrder
  }

  init(
    from start: WatchStart, _ state: ItemState, _ configuration: ToDoClient.Configuration, _ endpoint: Endpoint,
    connect: @escaping @Sendable () async throws -> ClientConnection
  ) {
    resumption = WatchResumption(from: start)
    self.state = state
    self.configuration = configuration
    self.endpoint = endpoint
    self.connect = connect
  }

  deinit {
    stream?.connection.closeSoon()
  }

  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`; the watch has ended then.
  func next() async throws -> WatchEvent? {
    while !hasEnded {
      do {
        if let event = resumption.receive(try await nextMessage()) { return event }
      } catch {
        closeStream()
        if let event = try await recover(from: error) { return event }
      }
    }
    return nil
  }

  private func nextMessage() async throws -> WatchMessage {
    var current = try await openStream()
    let message = try await current.messages.next()
    if let message { try current.order.receive(message) }
    stream = current
    try Task.checkCancellation()
    guard let message else { throw RPCError.unavailable("the server ended the watch", isUnsent: false) }
    failures = 0
    report(.connected)
    return message
  }

  private func openStream() async throws -> Stream {
    if let stream { return stream }
    if connectionState == nil { report(.connecting) }
    let metadata = try configuration.metadata(for: endpoint)
    let connection = try await connect()
    let method = ToDoMethods.watchItems
    let request = WatchRequest(start: resumption.start, state: state)
    let messages = try connection.stream(
      method.name, OutgoingMessage { method.request.encode(request, $0) }, metadata: metadata,
      decode: method.response.decode)
    let order = WatchOrder(from: resumption.start, limit: configuration.maximumSnapshotSize)
    let new = Stream(connection: connection, messages: messages.makeAsyncIterator(), order: order)
    stream = new
    return new
  }

  private func closeStream() {
    stream?.connection.closeSoon()
    stream = nil
  }

  /// Waits until it is time to start again, or throws the error that the consumer should know.
  ///
  /// - Returns: what to tell first.
  private func recover(from error: any Error) async throws -> WatchEvent? {
    guard !Task.isCancelled else {
      hasEnded = true
      throw CancellationError()
    }
    failures += 1
    let action = resumption.fail(error)
    let isPatient = resumption.isEstablished || failures <= configuration.retryLimit
    guard action != .fail, isPatient else {
      hasEnded = true
      throw (error as? RPCError).flatMap(ToDoError.init) ?? error
    }
    if connectionState == .connected { report(.lost) }
    do {
      try await Task.sleep(for: configuration.backoff.delay(afterFailures: failures, jitter: .random(in: 0..<1)))
    } catch {
      hasEnded = true
      throw error
    }
    return action == .restart ? .restarted : nil
  }

  private func report(_ new: WatchConnectionState) {
    guard connectionState != new else { return }
    connectionState = new
    configuration.watchConnectionChanged(new)
  }
}
