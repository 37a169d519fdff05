public import Logging
public import NIOCore
public import NIOPosix
package import TTRPC
public import TTRPCTransport
public import ToDoModel
import ToDoProtocol

/// A to-do service on a server: the same operations as `LocalToDoService`, over a connection.
///
/// The connection is made by the first call and made again when it is lost; calls from any number of tasks share it.
///
/// - Throws: All operations throw `ToDoError` when the list refuses, and `RPCError` when there is no answer: the code
///   is `unavailable` when the server cannot be reached, `deadlineExceeded` when the timeout passed. Cancelling the
///   task of a call cancels the server's work for it too.
///
/// ## Topics
/// ### First steps
/// - <doc:FirstSteps>
public final class ToDoClient: Sendable {
  /// How a client behaves.
  public struct Configuration: Sendable {
    /// How long a call may take, connecting and trying again included.
    public var timeout: Duration = .seconds(30)
    /// How long connecting may take.
    public var connectTimeout: Duration = .seconds(10)
    /// How often a call that found no server, or lost it, is tried again. Only what is harmless to repeat is: calls that
    /// never left, reads, and changes whose repetition changes nothing.
    public var retryLimit = 4
    /// How long to wait before trying again.
    public var backoff = Backoff()
    /// Who the caller is: sent with every call, unless others could read it on its way.
    public var token: String?
    /// The Unix users, in addition to root and the user of this process, to whose servers the token is sent over a Unix
    /// socket. A server of another user is refused before the token is sent.
    public var serverUnixUsers: Set<UInt32> = []
    /// Which servers are trusted at `tls://` endpoints, and what is shown to them.
    public var tls = ClientTLS()
    /// How long a watch hears nothing before it connects anew; more than twice the interval at which the server says
    /// that nothing has happened.
    public var silenceLimit: Duration = .seconds(60)
    /// The maximum size of a snapshot, and of the changes of one revision, in bytes: 256 for each item, and its text. A
    /// server that sends more ends the watch with an error.
    public var maximumSnapshotSize = ReceiveBudget.defaultLimit
    /// Called when the connection of a watch is lost or made, before the events that follow from it.
    public var watchConnectionChanged: @Sendable (WatchConnectionState) -> Void = { _ in }

    public init() {}
  }

  public let endpoint: Endpoint
  private let configuration: Configuration
  private let keeper: ConnectionKeeper
  private let connectForWatch: @Sendable () async throws -> ClientConnection

  /// Connects to nothing yet.
  public init(
    endpoint: Endpoint, configuration: Configuration = Configuration(),
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger = Logger(label: "todo.client")
  ) {
    self.endpoint = endpoint
    self.configuration = configuration
    var transport = ClientConfiguration()
    transport.connectTimeout = configuration.connectTimeout
    transport.tls = configuration.tls
    transport.unixUsers = configuration.trustedUnixUsers
    transport.cancellation = .init(method: ConnectionMethods.cancelCall.name) { id in
      OutgoingMessage { ConnectionMethods.cancelCall.request.encode(CallSelection(stream: id), $0) }
    }
    keeper = ConnectionKeeper(backoff: configuration.backoff) { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
    transport.silenceLimit = configuration.silenceLimit
    connectForWatch = { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
  }

  /// Speaks over connections that `connect` makes, for tests that bring their own.
  package init(
    endpoint: Endpoint, configuration: Configuration = Configuration(),
    connect: @escaping @Sendable () async throws -> ClientConnection
  ) {
    self.endpoint = endpoint
    self.configuration = configuration
    keeper = ConnectionKeeper(backoff: configuration.backoff, connect: connect)
    connectForWatch = connect
  }

  /// What goes with every call.
  ///
  /// - Throws: `RPCError` when the token would be sent where others can read it.
  private func metadata() throws -> Metadata { try configuration.metadata(for: endpoint) }

  /// Closes the connection. Calls in flight fail, and so do later ones.
  public func close() async {
    await keeper.close()
  }
}

extension ToDoClient: ToDoService {
  public func addItem(
    _ item: NewItem, allowingDuplicate: Bool, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    let request = AddItemRequest(
      item: item, allowingDuplicate: allowingDuplicate, savingWithoutCoordinate: savingWithoutCoordinate)
    return try await call(ToDoMethods.addItem, request, isIdempotent: true).checked(is: item.id)
  }

  public func addItems(
    _ items: [NewItem], allowingDuplicates: Bool, savingWithoutCoordinates: Bool
  ) async throws -> [ToDoItem] {
    let request = BatchAddItemsRequest(
      items: items, allowingDuplicates: allowingDuplicates, savingWithoutCoordinates: savingWithoutCoordinates)
    return try await call(ToDoMethods.batchAddItems, request, isIdempotent: true).checked(are: items)
  }

  public func item(_ id: ItemID) async throws -> ToDoItem {
    try await call(ToDoMethods.getItem, ItemReference(id: id), isIdempotent: true).checked(is: id)
  }

  public func items(_ query: ItemQuery) async throws -> ItemPage {
    // The wire's 0 means the default, so only the service here can refuse it.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    return try await call(ToDoMethods.listItems, query, isIdempotent: true).checked(for: query)
  }

  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    let request = UpdateItemRequest(
      id: id, edit: edit, ifRevision: ifRevision, savingWithoutCoordinate: savingWithoutCoordinate)
    return try await call(ToDoMethods.updateItem, request, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    let reference = ItemReference(id: id, ifRevision: ifRevision)
    return try await call(ToDoMethods.checkItem, reference, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    let reference = ItemReference(id: id, ifRevision: ifRevision)
    return try await call(ToDoMethods.uncheckItem, reference, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func deleteItem(_ id: ItemID, ifRevision: Revision?) async throws -> Revision {
    // Deleting again answers that there is no such item, which is not what the first time would have.
    try await call(ToDoMethods.deleteItem, ItemReference(id: id, ifRevision: ifRevision), isIdempotent: false)
  }

  public func deleteItems(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    try await call(ToDoMethods.deleteItems, selection, isIdempotent: false)
  }

  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    // The wire's 0 means however far.
    if query.radius == 0 {
      throw ToDoError.invalidRequest([FieldViolation("radius_meters", "is 0; it must be a number greater than 0")])
    }
    return try await call(ToDoMethods.listNearbyItems, query, isIdempotent: true).checked(for: query)
  }

  public func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    if query.limit == 0 {
      throw ToDoError.invalidRequest([FieldViolation("limit", "is 0; it must be at least 1")])
    }
    return try await call(ToDoMethods.geocodeAddress, query, isIdempotent: true).checked(for: query)
  }

  public func changes(_ query: ChangeQuery) async throws -> ChangePage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    return try await call(ToDoMethods.listChanges, query, isIdempotent: true).checked(for: query)
  }

  /// Watches the list.
  ///
  /// A watch has a connection of its own, so that a slow consumer holds up nobody else. Once the first event has come,
  /// it connects again by itself whenever the connection is lost, and goes on after the last event; where that is no
  /// longer possible, it tells `WatchEvent.restarted` and a snapshot.
  public func watch(from start: WatchStart, state: ItemState) -> WatchEvents {
    WatchEvents { [connectForWatch, configuration, endpoint] in
      let watch = ClientWatch(from: start, state, configuration, endpoint, connect: connectForWatch)
      return { try await watch.next() }
    }
  }

  public func info() async throws -> ServiceInfo {
    try await call(ToDoMethods.getServerInfo, (), isIdempotent: true)
  }

  /// Whether the server takes calls.
  ///
  /// - Throws: `RPCError`.
  public func isServing() async throws -> Bool {
    try await call(HealthMethods.check, "", isIdempotent: true) == .serving
  }
}

// MARK: - Calls

extension ToDoClient {
  /// Calls a method, and again while that is harmless and may help.
  private func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    let deadline = ContinuousClock.now + configuration.timeout
    let metadata = try metadata()
    let message = OutgoingMessage { method.request.encode(request, $0) }
    var (failures, isStranger) = (0, false)
    while true {
      do {
        let connection = try await connection(by: deadline)
        func send<Answer: Sendable>(
          _ name: MethodName, _ message: OutgoingMessage,
          _ decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Answer
        ) async throws -> Answer {
          try await connection.call(
            name, message, timeout: ContinuousClock.now.duration(to: deadline), metadata: metadata, decode: decode)
        }
        do {
          if isStranger {
            let info = ToDoMethods.getServerInfo
            _ = try await send(info.name, OutgoingMessage { info.request.encode((), $0) }, info.response.decode)
          }
          return try await send(method.name, message, method.response.decode)
        } catch let error as RPCError where error.code == .unavailable && error.hasNotBegun {
          keeper.discard(connection)
          throw error
        }
      } catch let error as RPCError where error.isForStrangers && !isStranger {
        // A server takes little from those whom it does not know yet. From now on it is asked something small first.
        isStranger = true
      } catch let error as RPCError {
        failures += 1
        guard error.isRetriable(isIdempotent: isIdempotent), failures <= configuration.retryLimit else {
          if let refusal = ToDoError(error) { throw refusal }
          throw error
        }
        try await pause(afterFailures: failures, of: error, until: deadline)
      }
    }
  }

  /// - Throws: `RPCError` when there is no connection in time.
  private func connection(by deadline: ContinuousClock.Instant) async throws -> ClientConnection {
    if let connection = keeper.open { return connection }
    return try await withThrowingTaskGroup(of: ClientConnection.self) { [keeper] group in
      group.addTask { try await keeper.connection() }
      group.addTask {
        try await Task.sleep(until: deadline, clock: .continuous)
        throw RPCError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let connection = try await group.next() else { throw CancellationError() }
      return connection
    }
  }

  /// The next attempt to connect waits by itself; a server that answers that it is unavailable is left alone here.
  private func pause(
    afterFailures failures: Int, of error: RPCError, until deadline: ContinuousClock.Instant
  ) async throws {
    guard !error.isUnsent else { return }
    let delay = configuration.backoff.delay(afterFailures: failures, jitter: .random(in: 0..<1))
    try await Task.sleep(until: min(deadline, ContinuousClock.now + delay), clock: .continuous)
  }
}

extension ToDoClient.Configuration {
  /// The users that may see the token at a Unix socket; `nil`: there is no token to see.
  package var trustedUnixUsers: Set<UInt32>? {
    token == nil ? nil : serverUnixUsers.union([0, Peer.ownUnixUser])
  }

  /// What goes with every call.
  ///
  /// - Throws: `RPCError` when the token would be sent where others can read it.
  package func metadata(for endpoint: Endpoint) throws(RPCError) -> Metadata {
    var metadata = Metadata()
    guard let token else { return metadata }
    guard endpoint.isConfidential else {
      throw RPCError(
        .failedPrecondition, reason: "TOKEN_NOT_SENT",
        "the token is not sent to \(endpoint), as others could read it on its way: use tls://")
    }
    metadata.append("authorization", "Bearer \(token)")
    return metadata
  }
}

extension Endpoint {
  /// Whether nobody but the server can read what is sent there.
  fileprivate var isConfidential: Bool {
    if case .tcp = self { isLocal } else { true }
  }
}

extension FieldViolation {
  fileprivate static let pageSizeZero = FieldViolation("page_size", "is 0; it must be at least 1")
}

extension RPCError {
  /// Whether the request was longer than a server takes before it knows its caller; it was not begun.
  fileprivate var isForStrangers: Bool {
    guard domain == Self.wireDomain, reason == Self.messageTooLarge(1, limit: 0).reason,
      let limit = metadata["max_bytes"].flatMap({ Int($0) })
    else { return false }
    return limit < FrameHeader.maximumLength
  }

  /// Whether trying again may help, and cannot do harm.
  fileprivate func isRetriable(isIdempotent: Bool) -> Bool {
    // Another moment does not help a geocoder, which has its own ways to try again.
    if case .geocoderUnavailable? = ToDoError(self) { return false }
    return code == .unavailable && (isIdempotent || hasNotBegun)
  }

  /// Whether the server has certainly not begun the call; the connection then takes no more calls.
  fileprivate var hasNotBegun: Bool {
    isUnsent || (domain == RPCError.wireDomain && reason == RPCError.shuttingDown.reason)
  }
}
