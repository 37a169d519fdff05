public import Logging
public import NIOCore
public import NIOPosix
public import ToDoModel
import ToDoProtocol
import ToDoRPC
package import ToDoTTRPCTransport
public import ToDoTransport

/// A to-do service on a server. It offers the same operations as a service in the same process, over a connection.
///
/// Its items are those of the user's default list. As a `ToDoListService`, it also offers the user's other lists, and
/// `items(in:)` the items of each. These calls fail with the code `unimplemented` if the server does not support several lists.
///
/// The first call establishes the connection. If the connection is lost, the next call establishes a new one. Calls from any
/// number of tasks share it.
///
/// - Throws: Every operation throws `ToDoError` if the service rejects the request, and `RPCError` if no response arrives:
///   with the code `unavailable` if the server cannot be reached, and `deadlineExceeded` if the timeout expires. Canceling
///   the task of a call also cancels the server's work for the call.
///
/// ## Topics
/// ### First steps
/// - <doc:FirstSteps>
public final class ToDoClient: Sendable {
  /// The server's address.
  public let endpoint: Endpoint
  /// The list whose items the calls concern.
  private let list: ListID
  private let configuration: Configuration
  private let timing: ClientTiming
  private let connectionManager: ConnectionManager
  /// The features that the server says it supports.
  private let features: ServerFeatures
  /// Establishes a connection for one watch.
  private let connectForWatch: @Sendable () async throws -> ClientConnection

  /// Creates a client that does not connect yet.
  ///
  /// - Parameters:
  ///   - group: The event loops that the connections run on.
  ///   - logger: Receives messages about connections.
  public init(
    endpoint: Endpoint, configuration: Configuration = Configuration(),
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger = Logger(label: "todo.client")
  ) {
    self.endpoint = endpoint
    list = .default
    features = ServerFeatures()
    self.configuration = configuration
    timing = .system
    var transport = ClientConfiguration()
    transport.connectTimeout = configuration.connectTimeout
    transport.tls = configuration.tls
    transport.unixUsers = configuration.trustedUnixUsers
    transport.cancellation = .init(method: ConnectionMethods.cancelCall.name) { id in
      OutgoingMessage { ConnectionMethods.cancelCall.request.encode(CallSelection(stream: id.rawValue), $0) }
    }
    connectionManager = ConnectionManager(backoff: configuration.backoff, timing: timing) { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
    transport.inactivityTimeout = configuration.inactivityTimeout
    connectForWatch = { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
  }

  /// Creates a client that uses the connections that `connect` returns, for tests.
  package init(
    endpoint: Endpoint, configuration: Configuration = Configuration(), timing: ClientTiming = .system,
    connect: @escaping @Sendable () async throws -> ClientConnection
  ) {
    self.endpoint = endpoint
    list = .default
    features = ServerFeatures()
    self.configuration = configuration
    self.timing = timing
    connectionManager = ConnectionManager(backoff: configuration.backoff, timing: timing, connect: connect)
    connectForWatch = connect
  }

  /// Creates a client of another list that shares the connection.
  private init(_ client: ToDoClient, list: ListID) {
    endpoint = client.endpoint
    self.list = list
    features = client.features
    configuration = client.configuration
    timing = client.timing
    connectionManager = client.connectionManager
    connectForWatch = client.connectForWatch
  }

  /// Closes the connection. Calls in progress and later calls fail with the code `unavailable`.
  public func close() async {
    await connectionManager.close()
  }
}

extension ToDoClient: ToDoService {
  public func addItem(
    _ item: NewItem, options: SaveOptions
  ) async throws -> ToDoItem {
    try await require(item.content.features)
    let request = AddItemRequest(item: item, options: options)
    return try await call(ToDoMethods.addItem, request, isIdempotent: true).checked(is: item.id)
  }

  public func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] {
    try await require(items.reduce(into: []) { $0.formUnion($1.content.features) })
    let request = BatchAddItemsRequest(items: items, options: options)
    return try await call(ToDoMethods.batchAddItems, request, isIdempotent: true).checked(are: items)
  }

  public func item(_ id: ItemID) async throws -> ToDoItem {
    try await call(ToDoMethods.getItem, SingleItemRequest(id: id), isIdempotent: true).checked(is: id)
  }

  public func items(_ query: ItemQuery) async throws -> ItemPage {
    // In the wire format, 0 means the default page size, so the client rejects it.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    try await require(query.filter.features)
    return try await call(ToDoMethods.listItems, query, isIdempotent: true).checked(for: query)
  }

  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    try await require(edit.features)
    let request = UpdateItemRequest(id: id, edit: edit, ifRevision: ifRevision, options: options)
    return try await call(ToDoMethods.updateItem, request, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    let reference = SingleItemRequest(id: id, ifRevision: ifRevision)
    // Without a revision, a repeated check of an item that repeats would check the next occurrence, too.
    return try await call(ToDoMethods.checkItem, reference, isIdempotent: ifRevision != nil).checked(is: id)
  }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    let reference = SingleItemRequest(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    let item = try await call(ToDoMethods.uncheckItem, reference, isIdempotent: true)
    // The uncheck of an occurrence returns the item that repeats.
    return item.repetition == nil ? try item.checked(is: id) : item
  }

  public func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    // Deleting the item again fails with `itemNotFound`, unlike the first deletion.
    let reference = SingleItemRequest(id: id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull)
    return try await call(ToDoMethods.deleteItem, reference, isIdempotent: false)
  }

  public func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    // Restoring the item again fails with `itemNotDeleted`, unlike the first time.
    let request = SingleItemRequest(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    return try await call(ToDoMethods.undeleteItem, request, isIdempotent: false).checked(is: id)
  }

  public func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    let request = BulkDeletionRequest(selection, permanentlyIfFull: permanentlyIfFull)
    return try await call(ToDoMethods.deleteItems, request, isIdempotent: false)
  }

  public func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult {
    try await require(.tagRenaming)
    return try await call(ToDoMethods.renameTag, renaming, isIdempotent: true)
  }

  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    // In the wire format, 0 means any distance.
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

  public func history(_ query: HistoryQuery) async throws -> HistoryPage {
    // In the wire format, 0 means the default page size and any revision.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    if query.before == .initial {
      throw ToDoError.invalidRequest([FieldViolation("before_revision", "is 0; it must be at least 1")])
    }
    return try await call(ToDoMethods.listRevisions, query, isIdempotent: true).checked(for: query)
  }

  public func revertRevision(_ revision: Revision) async throws -> Reversal {
    // Reverting the revision again refuses the items, unlike the first time.
    try await call(ToDoMethods.revertRevision, revision, isIdempotent: false)
  }

  /// Watches the list.
  ///
  /// Each watch has its own connection, so a slow consumer does not delay calls or other watches. After the first event, the
  /// watch reconnects when the connection is lost, and resumes after the last event. If the server no longer has the changes
  /// after that event, the watch emits `WatchEvent.restarted` and a snapshot.
  public func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    WatchEvents { [self] in
      let watch = ResumingWatch(
        from: start, policy: .connection(retryLimit: configuration.retryLimit, backoff: configuration.backoff),
        timing: timing, connectionStateChanged: configuration.watchConnectionChanged
      ) { [self] start in
        try await requireList()
        let metadata = try configuration.metadata(for: endpoint)
        let connection = try await connectForWatch(metadata, filter.watchFeatures)
        return try WatchStream(
          Scoped(WatchRequest(start: start, state: state, filter: filter), in: list), over: connection, metadata,
          limit: configuration.maximumSnapshotSize)
      }
      return { try await watch.next() }
    }
  }

  public func info() async throws -> ServiceInfo {
    try await call(ToDoMethods.getServerInfo, (), isIdempotent: true)
  }

  /// Returns whether the server accepts calls.
  ///
  /// - Throws: `RPCError`.
  public func isServing() async throws -> Bool {
    try await call(HealthMethods.check, "", isIdempotent: true) == .serving
  }
}

extension ToDoClient: ToDoListService {
  public func createList(_ list: NewList) async throws -> UserList {
    try await callLists(ListMethods.createList, list, isIdempotent: true).checked(is: list.id)
  }

  public func list(_ id: ListID) async throws -> UserList {
    try await callLists(ListMethods.getList, id, isIdempotent: true).checked(is: id)
  }

  public func lists(includingDeleted: Bool) async throws -> ListSet {
    let query = ListsQuery(includingDeleted: includingDeleted)
    return try await callLists(ListMethods.listLists, query, isIdempotent: true).checked(for: query)
  }

  public func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    // In the wire format, 0 means any version.
    if ifVersion == 0 {
      throw ToDoError.invalidRequest([FieldViolation("if_version", "is 0; it must be at least 1")])
    }
    let request = UpdateListRequest(id: id, edit: edit, ifVersion: ifVersion)
    return try await callLists(ListMethods.updateList, request, isIdempotent: ifVersion == nil).checked(is: id)
  }

  public func deleteList(_ id: ListID) async throws -> UserList {
    // Deleting the list again fails with `listNotFound`, unlike the first deletion.
    try await callLists(ListMethods.deleteList, id, isIdempotent: false).checked(is: id)
  }

  public func undeleteList(_ id: ListID) async throws -> UserList {
    // Restoring the list again fails with `listNotDeleted`, unlike the first time.
    try await callLists(ListMethods.undeleteList, id, isIdempotent: false).checked(is: id)
  }

  public func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] {
    try await require(.moves)
    let request = MoveItemsRequest(ids: ids, source: source, target: target, allowsDuplicates: allowingDuplicate)
    // Moving the items again returns them.
    return try await call(ListMethods.moveItems, request, isIdempotent: true).checked(are: ids)
  }

  public func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList {
    let request = ShareListRequest(id: id, user: user, role: role)
    return try await callSharing(ListMethods.shareList, request, isIdempotent: true).checked(is: id)
  }

  public func unshareList(_ id: ListID, with user: String) async throws -> UserList {
    let request = UnshareListRequest(id: id, user: user)
    return try await callSharing(ListMethods.unshareList, request, isIdempotent: true).checked(is: id)
  }

  public func invitations() async throws -> [UserList] {
    try await require(.sharing)
    let query = ListsQuery(includingInvitations: true)
    return try await call(ListMethods.listLists, query, isIdempotent: true).checked(for: query).lists
      .filter(\.isInvitation)
  }

  public func acceptList(_ id: ListID) async throws -> UserList {
    try await callSharing(ListMethods.acceptList, id, isIdempotent: true).checked(is: id)
  }

  public func leaveList(_ id: ListID) async throws -> UserList {
    // Leaving the list again fails with `listNotFound`, unlike the first time.
    try await callSharing(ListMethods.leaveList, id, isIdempotent: false).checked(is: id)
  }

  /// Watches the lists.
  ///
  /// Each watch has its own connection. After the first set, the watch reconnects when the connection is lost, and also if
  /// nothing changed for `Configuration.inactivityTimeout`. It then emits the lists only if they have changed.
  public func watchLists(includingDeleted: Bool) -> ListSets {
    ListSets { [self] in
      let query = ListsQuery(includingDeleted: includingDeleted)
      let attempts = self.attempts { [self] in
        try await require(.lists)
        let metadata = try configuration.metadata(for: endpoint)
        let stream = try ConnectionStream(
          ListMethods.watchLists, query, over: try await connectForWatch(), metadata)
        return { try await stream.next().checked(for: query) }
      }
      let watch = ListWatch(attempts)
      return { try await watch.next() }
    }
  }

  /// Returns the operations on a list's items: a client that shares the connection of this one.
  public func items(in list: ListID) -> any ToDoService {
    list == self.list ? self : ToDoClient(self, list: list)
  }

  private func callLists<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    try await require(.lists)
    return try await call(method, request, isIdempotent: isIdempotent)
  }

  private func callSharing<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    try await require(.sharing)
    return try await call(method, request, isIdempotent: isIdempotent)
  }
}

extension ToDoClient: NotificationService {
  public func addNotificationTarget(_ target: NewNotificationTarget) async throws -> AddedNotificationTarget {
    // Adding the target again is refused, and would not return its secret again.
    try await callNotifications(NotificationMethods.addTarget, target, isIdempotent: false)
  }

  public func notificationTargets() async throws -> [NotificationTargetInfo] {
    try await callNotifications(NotificationMethods.listTargets, (), isIdempotent: true)
  }

  public func removeNotificationTarget(_ id: NotificationTargetID) async throws {
    // Removing the target again fails with `notificationTargetNotFound`, unlike the first time.
    try await callNotifications(NotificationMethods.removeTarget, id, isIdempotent: false)
  }

  public func confirmNotificationTarget(_ id: NotificationTargetID, code: String) async throws {
    // Confirming the target again changes nothing.
    try await callNotifications(
      NotificationMethods.confirmTarget, NotificationTargetCode(id: id, code: code), isIdempotent: true)
  }

  public func testNotificationTarget(_ id: NotificationTargetID) async throws {
    try await callNotifications(NotificationMethods.testTarget, id, isIdempotent: false)
  }

  /// - Throws: `ToDoError.notificationsOff` also if the server has an earlier version.
  private func callNotifications<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    do { return try await call(method, request, isIdempotent: isIdempotent) } catch let error as RPCError
      where error.code == .unimplemented
    {
      throw ToDoError.notificationsOff
    }
  }
}

extension ToDoClient: PositionService {
  public func reportPosition(_ position: Position) async throws -> [PlaceReminder] {
    // No reminder is returned twice.
    try await call(PositionMethods.reportPosition, position, isIdempotent: false)
  }
}

extension ToDoClient: CalendarFeedService {
  public func createCalendarFeed(of list: ListID?) async throws -> CreatedCalendarFeed {
    // Each call creates a feed.
    try await call(FeedMethods.createFeed, list, isIdempotent: false)
  }

  public func calendarFeeds() async throws -> [CalendarFeed] {
    try await call(FeedMethods.listFeeds, (), isIdempotent: true)
  }

  public func revokeCalendarFeed(_ id: CalendarFeedID) async throws {
    // Revoking the feed again fails, unlike the first time.
    try await call(FeedMethods.revokeFeed, id, isIdempotent: false)
  }
}

extension ToDoClient: SignInService {
  public func createSignInLink() async throws -> SignInLink {
    // Each call creates a link.
    try await call(SignInMethods.createLink, (), isIdempotent: false)
  }
}

extension ToDoClient: ReminderService {
  /// Watches the reminders that are due.
  ///
  /// Each watch has its own connection. After the first event, the watch reconnects when the connection is lost. It then emits only
  /// what has changed. It fails with the code `unimplemented` if the server does not have the capability `reminder_service`.
  public func watchReminders(in lists: [ListID]) -> ReminderEvents {
    ReminderEvents { [self] in
      let attempts = self.attempts { [self] in
        let metadata = try configuration.metadata(for: endpoint)
        let stream = try ConnectionStream(
          ReminderMethods.watchReminders, lists, over: try await connectForWatch(), metadata)
        return { try await stream.next() }
      }
      let watch = ReminderStream(attempts)
      return { try await watch.next() }
    }
  }

  public func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    // A claim that is repeated fails, unlike the first time.
    try await call(ReminderMethods.acknowledgeReminder, acknowledgment, isIdempotent: !acknowledgment.onlyIfDue)
  }
}

extension ToDoClient: ListWatchService {
  /// Watches the items of several lists, over one connection of its own.
  ///
  /// After the first event, the watch reconnects when the connection is lost, and resumes each list after its last event, as
  /// `watch(from:state:filter:)` does. It fails with the code `unimplemented` if the server does not have the capability
  /// `watch_lists`, or `watch_filters` for a filter.
  public func watchItems(in lists: [WatchedList], state: ItemState, filter: ItemFilter) -> ListWatchEvents {
    ListWatchEvents { [self] in
      let positions = ListPositions(lists, limit: configuration.maximumSnapshotSize)
      let attempts: WatchAttempts<ListWatchMessage> = self.attempts { [self] in
        try await require(.listWatches)
        let metadata = try configuration.metadata(for: endpoint)
        let connection = try await connectForWatch(metadata, filter.watchFeatures)
        let request = Scoped(positions.begin(), state: state, filter: filter)
        let stream = try ConnectionStream(ToDoMethods.watchItemsInLists, request, over: connection, metadata)
        return {
          do { return try await stream.next() } catch let error as RPCError {
            guard let end = positions.end(of: error) else { throw error }
            return end
          }
        }
      }
      let watch = ResumingListsWatch(positions, attempts)
      return { try await watch.next() }
    }
  }
}

extension ToDoClient: QuickAddService {
  public func parseQuickAdd(_ sentence: QuickAddSentence) async throws -> ParsedQuickAdd {
    try await call(ToDoMethods.parseQuickAdd, sentence, isIdempotent: true)
  }
}

// MARK: - Calls

extension ToDoClient {
  /// Returns the attempts of a watch.
  private func attempts<Message>(
    _ make: @escaping () async throws -> () async throws -> Message
  ) -> WatchAttempts<Message> {
    WatchAttempts(retryLimit: configuration.retryLimit, backoff: configuration.backoff, timing: timing, make: make)
  }

  /// Calls a method on the list's items.
  private func call<Request, Response>(
    _ method: Method<Scoped<Request>, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    try await requireList()
    return try await call(method, Scoped(request, in: list), isIdempotent: isIdempotent)
  }

  /// Calls a method, and retries the call as `RetryStateMachine` decides.
  ///
  /// - Throws: `ToDoError` if the service rejects the request; `RPCError`; `CancellationError`; `TLSFileError`.
  private func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    let deadline = timing.now() + configuration.timeout
    let metadata = try configuration.metadata(for: endpoint)
    var machine = RetryStateMachine(
      isIdempotent: isIdempotent, retryLimit: configuration.retryLimit, backoff: configuration.backoff,
      deadline: deadline)
    while true {
      do {
        return try await attempt(
          method, request, authenticatingFirst: machine.mustAuthenticateFirst, metadata, by: deadline)
      } catch let error as RPCError {
        switch machine.attemptFailed(with: error, at: timing.now(), jitter: timing.jitter()) {
        case .retry(let delay):
          if delay > .zero { try await timing.sleep(for: delay) }
        case .fail:
          if let rejection = ToDoError(error) { throw rejection }
          throw error
        }
      }
    }
  }

  /// Sends a call once.
  ///
  /// - Parameter authenticatingFirst: Whether a small call precedes it.
  private func attempt<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, authenticatingFirst: Bool, _ metadata: Metadata,
    by deadline: ContinuousClock.Instant
  ) async throws -> Response {
    let connection = try await connection(by: deadline)
    do {
      if authenticatingFirst {
        _ = try await connection.call(
          ToDoMethods.getServerInfo, (), metadata, timeout: timing.now().duration(to: deadline))
      }
      return try await connection.call(method, request, metadata, timeout: timing.now().duration(to: deadline))
    } catch let error as RPCError where error.code == .unavailable && error.isUnprocessed {
      connectionManager.discard(connection)
      throw error
    }
  }

  /// Returns the shared connection, established by the deadline.
  ///
  /// - Throws: `RPCError`, with the code `deadlineExceeded` after the deadline; `CancellationError`; `TLSFileError`.
  private func connection(by deadline: ContinuousClock.Instant) async throws -> ClientConnection {
    if let connection = connectionManager.openConnection { return connection }
    return try await withThrowingTaskGroup(of: ClientConnection.self) { [connectionManager, timing] group in
      group.addTask { try await connectionManager.connection() }
      group.addTask {
        try await timing.sleepUntil(deadline)
        throw RPCError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let connection = try await group.next() else { throw CancellationError() }
      return connection
    }
  }
}

extension ClientConnection {
  /// Sends a request and returns its response.
  fileprivate func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, _ metadata: Metadata, timeout: Duration?
  ) async throws -> Response {
    try await call(
      method.name, OutgoingMessage { method.request.encode(request, $0) }, timeout: timeout, metadata: metadata,
      decode: method.response.decode)
  }
}

extension ToDoClient {
  /// Checks that the server supports features. An earlier one would drop their fields, and ignore filters by them.
  private func require(_ needed: ItemFeatures) async throws {
    try await features.require(needed) { try await info() }
  }

  /// Establishes a connection for one watch, to a server that supports features.
  ///
  /// The server of each connection is asked, because a watch can reconnect to an earlier one, which would ignore its filter.
  private func connectForWatch(_ metadata: Metadata, _ needed: ItemFeatures) async throws -> ClientConnection {
    let connection = try await connectForWatch()
    do {
      // Without a timeout, which would end the watch. If the server does not respond, the connection is lost, as it would be later.
      try await ServerFeatures().require(needed) {
        try await connection.call(ToDoMethods.getServerInfo, (), metadata, timeout: nil)
      }
    } catch {
      connection.closeSoon()
      throw error
    }
    return connection
  }

  /// Checks that the server knows the list. An earlier one would ignore which list a call names.
  private func requireList() async throws {
    if !list.isDefault { try await require(.lists) }
  }
}

extension FieldViolation {
  fileprivate static let pageSizeZero = FieldViolation("page_size", "is 0; it must be at least 1")
}
