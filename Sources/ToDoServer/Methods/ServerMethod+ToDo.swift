import CoreMetrics
import NIOCore
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoSupport

extension ServerMethod {
  /// The methods of `todo.v1.ToDoService`. Each checks its caller's credentials before its request is accepted.
  static func toDo(
    _ access: any AccessControl, _ limits: ServerLimits, _ pages: EncodedPageCache,
    _ turns: OwnerTurns, _ observability: Observability
  ) -> [ServerMethod] {
    let methods = writes(access) + reads(access, limits, pages, turns) + [watchItems(access, observability)]
    return methods.map { $0.authenticated(by: access) }
  }

  /// Returns the method with a check of its caller's credentials before its request is accepted.
  func authenticated(by access: any AccessControl) -> ServerMethod {
    var method = self
    method.authenticate = { call in
      switch try mappingErrors({ try access.lookUpGrant(for: call) }) {
      case .ready: .ready(())
      case .pending(let work): .pending { _ = try await mappingErrors(work) }
      }
    }
    return method
  }

  private static func writes(_ access: any AccessControl) -> [ServerMethod] {
    func write<Request, Response>(
      _ method: Method<Scoped<Request>, Response>,
      _ body: @escaping @Sendable (any ToDoService, Request) async throws -> Response
    ) -> ServerMethod {
      lookup(method) { call, scoped in
        try access.lookUp(for: call, in: scoped.list) { grant in
          let list = try grant.listToChange(for: call)
          return .pending { try await body(list, scoped.request) }
        }
      } response: { response in
        OutgoingMessage { method.response.encode(response, $0) }
      }
    }
    return [
      write(ToDoMethods.addItem) {
        try await $0.addItem($1.item, options: $1.options)
      },
      batchAddItems(access),
      write(ToDoMethods.updateItem) {
        try await $0.updateItem($1.id, $1.edit, ifRevision: $1.ifRevision, options: $1.options)
      },
      write(ToDoMethods.checkItem) { try await $0.checkItem($1.id, ifRevision: $1.ifRevision) },
      write(ToDoMethods.uncheckItem) {
        try await $0.uncheckItem($1.id, ifRevision: $1.ifRevision, allowingDuplicate: $1.allowingDuplicate)
      },
      write(ToDoMethods.deleteItem) {
        try await $0.deleteItem($1.id, ifRevision: $1.ifRevision, permanentlyIfFull: $1.permanentlyIfFull)
      },
      write(ToDoMethods.deleteItems) {
        try await $0.deleteItems($1.selection, permanentlyIfFull: $1.permanentlyIfFull)
      },
      write(ToDoMethods.renameTag) { try await $0.renameTag($1) },
      write(ToDoMethods.undeleteItem) {
        try await $0.undeleteItem($1.id, ifRevision: $1.ifRevision, allowingDuplicate: $1.allowingDuplicate)
      },
      write(ToDoMethods.revertRevision) { try await $0.revertRevision($1) },
    ]
  }

  /// The maximum number of elements in all lists of a batch. With an item more than the limit, the service itself reports the
  /// excessive request.
  package static let maximumBatchElements =
    (NewItem.batchLimit + 1)
    * (1 + ItemContent.Limits.tags + ItemContent.Limits.steps + ItemContent.Limits.reminders)

  /// BatchAddItems, whose request can be large too. It is copied and decoded only if the caller may write now. The requests of
  /// one list are decoded one at a time.
  private static func batchAddItems(_ access: any AccessControl) -> ServerMethod {
    let method = ToDoMethods.batchAddItems
    let turns = OwnerTurns(concurrency: 1)
    var batch = ServerMethod.unary(method.name) { bytes, _, call in
      let permitted = try mappingErrors {
        try access.lookUp(for: call) { grant in
          try grant.checkWrite()
          return .ready((owner: grant.owner, list: try grant.listToChange(for: call)))
        }
      }
      let bytes = ByteBuffer(bytes: bytes)
      return .pending {
        try await mappingErrors {
          let (owner, defaultList) = try await permitted.value
          let scoped = try await turns.run(for: owner) {
            try method.decoded(bytes, maximumElements: maximumBatchElements)
          }
          let request = scoped.request
          let added =
            if scoped.list.isDefault { try await defaultList.addItems(request.items, options: request.options) } else {
              try await access.lookUp(for: call, in: scoped.list) { grant in
                let list = try grant.listToChange(for: call)
                return .pending { try await list.addItems(request.items, options: request.options) }
              }.value
            }
          return OutgoingMessage(encoded: method.encoded(added))
        }
      }
    }
    batch.runsOnEventLoop = false
    batch.maximumElements = maximumBatchElements
    return batch
  }

  private static func reads(
    _ access: any AccessControl, _ limits: ServerLimits, _ pages: EncodedPageCache, _ turns: OwnerTurns
  ) -> [ServerMethod] {
    func read<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method, access) { grant, request in .pending { try await body(grant.list, request) } }
    }
    // A history page costs more than others, so each list reads one at a time.
    let historyTurns = OwnerTurns(concurrency: 1)
    func page<Request, Response>(
      _ method: Method<Scoped<Request>, Response>, after first: OwnerTurns? = nil,
      _ body: @escaping @Sendable (any ToDoService, Request) async throws -> Response
    ) -> ServerMethod {
      large(method, access, [first, turns].compactMap(\.self)) { grant, call, request in
        .pending { method.encoded(try await body(grant.attributedList(for: call), request)) }
      }
    }
    return [
      getItem(access),
      listItems(access, pages, turns),
      page(ToDoMethods.listNearbyItems) { try await $0.nearbyItems($1) },
      page(ToDoMethods.listChanges) { try await $0.changes($1) },
      page(ToDoMethods.listRevisions, after: historyTurns) { try await $0.history($1) },
      read(ToDoMethods.geocodeAddress) { try await $0.geocode($1) },
      getServerInfo(access, limits),
    ]
  }

  /// GetServerInfo, with the number of calls that the caller's connection may have in flight.
  private static func getServerInfo(_ access: any AccessControl, _ limits: ServerLimits) -> ServerMethod {
    lookup(ToDoMethods.getServerInfo) { call, _ in
      let method = ToDoMethods.getServerInfo(
        frameLength: limits.maximumFrameLength, calls: call.connection.maximumCalls ?? limits.maximumStreams)
      return try access.lookUp(for: call) { grant in
        .pending { (method, try await info(of: grant.list, access)) }
      }
    } response: { (method: Method<Void, ServiceInfo>, info: ServiceInfo) in
      OutgoingMessage { method.response.encode(info, $0) }
    }
  }

  private static func info(of list: any ToDoService, _ access: any AccessControl) async throws -> ServiceInfo {
    var info = try await list.info()
    if let lists = access.userLists {
      info.capabilities.formUnion([.lists, .moveItems, .watchLists])
      if lists.canBeShared { info.capabilities.insert(.listSharing) }
    }
    if access.notifications != nil { info.capabilities.insert(.notifications) }
    if access.feeds != nil { info.capabilities.insert(.calendarFeeds) }
    if access.signInLinks != nil { info.capabilities.insert(.signInLinks) }
    if access.positions != nil { info.capabilities.insert(.positions) }
    if access.reminders != nil, access.userLists != nil { info.capabilities.insert(.reminders) }
    info.capabilities.insert(.parseQuickAdd)
    return info
  }

  /// GetItem, which returns a cached item without suspending. It is the most frequent call, so it creates no closure but
  /// the response's.
  private static func getItem(_ access: any AccessControl) -> ServerMethod {
    let method = ToDoMethods.getItem
    @Sendable func response(_ item: ToDoItem) -> OutgoingMessage {
      OutgoingMessage { method.response.encode(item, $0) }
    }
    return .unary(method.name) { bytes, arena, call in
      try mappingErrors {
        let scoped = try method.request.decode(bytes, arena)
        let id = scoped.request.id
        let lookup =
          if scoped.list.isDefault, let reads = access.cachedReads(for: call) { try reads.lookUpItem(id) } else {
            try access.lookUp(for: call, in: scoped.list) { grant in
              try grant.servedList?.lookUpItem(id) ?? .pending { try await grant.list.item(id) }
            }
          }
        switch lookup {
        case .ready(let item): return .ready(response(item))
        case .pending(let read): return .pending { response(try await mappingErrors(read)) }
        }
      }
    }
  }

  /// ListItems, which returns a cached page without suspending if its list has not changed.
  private static func listItems(
    _ access: any AccessControl, _ pages: EncodedPageCache, _ turns: OwnerTurns
  ) -> ServerMethod {
    large(ToDoMethods.listItems, access, [turns]) { grant, _, query in
      let owner = grant.owner
      // Deleted items expire and are removed for good without a revision.
      guard query.deleted == .excluded else {
        return .pending { ToDoMethods.listItems.encoded(try await grant.list.items(query)) }
      }
      if let page = pages.message(for: query, of: owner, at: grant.servedList?.cachedRevision) { return .ready(page) }
      return .pending { pages.encode(try await grant.list.items(query), for: query, of: owner) }
    }
  }

  private static func watchItems(_ access: any AccessControl, _ observability: Observability) -> ServerMethod {
    let method = ToDoMethods.watchItems
    let (encoded, watches) = (EncodedChangeCache(observer: observability.changeCacheObserver), observability.watches)
    let listsWatches = ListsWatches(access, encoded)
    var watch = ServerMethod.streaming(method.name) { bytes, arena in
      let scoped = try mappingErrors { try method.request.decode(bytes, arena) }
      let request = scoped.request
      guard request.furtherLists.isEmpty else {
        return { call, _, outgoing in
          watches?.increment()
          defer { watches?.decrement() }
          try await mappingErrors { try await listsWatches.run(scoped, for: call, outgoing) }
        }
      }
      return { call, _, outgoing in
        try await mappingErrors {
          let grant = try await access.grant(for: call, in: scoped.list)
          watches?.increment()
          defer { watches?.decrement() }
          try await access.withGrant(grant, for: call) {
            // An event that the watch has read counts until it reads the next, which it does when the caller has read.
            var meter = call.connection.account.map { BufferMeter($0) }
            defer { meter?.end() }
            let events = grant.list.watch(from: request.start, state: request.state, filter: request.filter)
            var iterator = events.makeAsyncIterator()
            while let event = try await iterator.next() {
              try await access.checkAvailability(grant)
              let size = iterator.bufferedBytes
              meter?.keep(size)
              // While it waits for a caller that does not read, the watch keeps neither the event nor sent messages.
              var messages = try (consume event).messages(of: grant.owner, request, encoded)
              try await messages.send(to: outgoing) { meter?.keep(size + $0) }
            }
          }
        }
      }
    }
    watch.endsOnShutdown = true
    return watch
  }
}

extension WatchEvent {
  /// Returns the encoded messages of the event.
  fileprivate func messages(
    of owner: OwnerID, _ request: WatchRequest, _ changes: EncodedChangeCache
  ) throws -> EventMessages {
    func encoded(_ message: WatchMessage) -> EventMessages { EventMessages([ToDoMethods.watchItems.encoded(message)]) }
    return switch self {
    // Other watches hardly have the same filter.
    case .changes(let set) where !request.filter.isEmpty:
      EventMessages(ofOneWatch: set.messages().map(ToDoMethods.watchItems.encoded))
    case .changes(let set): EventMessages(changes.messages(of: set, owner, request.state))
    case .snapshotPage(let items): encoded(.snapshotPage(items))
    case .snapshotEnd(let revision): encoded(.snapshotEnd(revision))
    case .progress(let revision): encoded(.progress(revision))
    // Only a service that is itself a client emits this event. The changes before it are unknown here.
    case .restarted: throw ToDoError.revisionCompacted(oldest: .initial)
    }
  }
}
