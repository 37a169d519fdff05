import TTRPC
package import TTRPCTransport
package import ToDoModel
import ToDoProtocol

extension MethodTable {
  /// Every method that a server offers over ttrpc.
  ///
  /// - Parameters:
  ///   - limits: what clients are told about.
  ///   - pageCacheSize: about how many bytes of encoded pages are kept.
  ///   - others: methods that a test offers besides.
  package init(
    serving access: any AccessControl, health: HealthMonitor, limits: ServerConfiguration = ServerConfiguration(),
    pageCacheSize: Int = ToDoServer.Configuration.defaultPageCacheSize,
    besides others: [ServerMethod] = []
  ) {
    let info = ToDoMethods.getServerInfo(frameLength: limits.maximumFrameLength, calls: limits.maximumStreams)
    self.init(
      ServerMethod.toDo(access, info, EncodedPages(size: pageCacheSize)) + ServerMethod.health(health) + [
        .cancellation(ConnectionMethods.cancelCall), .authenticating(access),
      ]
        + others)
  }

  /// The same, with one list for everybody.
  package init(serving service: any ToDoService, health: HealthMonitor, besides others: [ServerMethod] = []) {
    self.init(serving: OpenAccess(to: service), health: health, besides: others)
  }
}

extension ServerMethod {
  fileprivate static func toDo(
    _ access: any AccessControl, _ info: Method<Void, ServiceInfo>, _ pages: EncodedPages
  ) -> [ServerMethod] {
    /// A method that only looks.
    func reading<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method) { call, request in try await body(access.list(for: call), request) }
    }
    /// A method that may change something.
    func changing<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method) { call, request in try await body(access.listToChange(for: call), request) }
    }
    let methods = [
      changing(ToDoMethods.addItem) {
        try await $0.addItem(
          $1.item, allowingDuplicate: $1.allowingDuplicate, savingWithoutCoordinate: $1.savingWithoutCoordinate)
      },
      changing(ToDoMethods.batchAddItems) {
        try await $0.addItems(
          $1.items, allowingDuplicates: $1.allowingDuplicates, savingWithoutCoordinates: $1.savingWithoutCoordinates)
      },
      reading(ToDoMethods.getItem) { try await $0.item($1.id) }.answeringAtOnce(ToDoMethods.getItem) {
        access.knownAdmission(of: $0)?.list.itemInMemory($1.id)
      },
      listing(access, pages),
      changing(ToDoMethods.updateItem) {
        try await $0.updateItem(
          $1.id, $1.edit, ifRevision: $1.ifRevision, savingWithoutCoordinate: $1.savingWithoutCoordinate)
      },
      changing(ToDoMethods.checkItem) { try await $0.checkItem($1.id, ifRevision: $1.ifRevision) },
      changing(ToDoMethods.uncheckItem) { try await $0.uncheckItem($1.id, ifRevision: $1.ifRevision) },
      changing(ToDoMethods.deleteItem) { try await $0.deleteItem($1.id, ifRevision: $1.ifRevision) },
      changing(ToDoMethods.deleteItems) { try await $0.deleteItems($1) },
      reading(ToDoMethods.listNearbyItems) { try await $0.nearbyItems($1) },
      reading(ToDoMethods.geocodeAddress) { try await $0.geocode($1) },
      reading(ToDoMethods.listChanges) { try await $0.changes($1) },
      watching(access),
      reading(info) { list, _ in try await list.info() },
    ]
    return methods.map { method in
      var method = method
      method.authenticate = { call in try await translatingErrors { _ = try await access.admission(of: call) } }
      return method
    }
  }

  /// Answers at once with a page that is encoded already, if its list has not changed since.
  fileprivate static func listing(_ access: any AccessControl, _ pages: EncodedPages) -> ServerMethod {
    let method = ToDoMethods.listItems
    var listing = ServerMethod.unary(method.name) { bytes, arena in
      let query = try translatingErrors { try method.request.decode(bytes, arena) }
      return { call in
        try await translatingErrors {
          let admission = try await access.admission(of: call)
          let page = try await admission.list.items(query)
          return OutgoingMessage(encoded: pages.encode(page, for: query, of: admission.owner))
        }
      }
    }
    listing.answerAtOnce = { bytes, arena, call in
      let query = try translatingErrors { try method.request.decode(bytes, arena) }
      guard let admission = access.knownAdmission(of: call), let revision = admission.list.revisionInMemory() else {
        return nil
      }
      return pages.message(for: query, of: admission.owner, at: revision).map(OutgoingMessage.init(encoded:))
    }
    return listing
  }

  fileprivate static func watching(_ access: any AccessControl) -> ServerMethod {
    let method = ToDoMethods.watchItems
    let encoded = EncodedChanges()
    var watch = ServerMethod.streaming(method.name) { bytes, arena in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      return { call, _, outgoing in
        try await translatingErrors {
          let admission = try await access.admission(of: call)
          try await access.whileAdmitted(admission, of: call) {
            // A page waits in memory for as long as the caller does not read.
            var meter = call.connection.account.map { BufferMeter($0) }
            defer { meter?.end() }
            var events = admission.list.watch(from: request.start, state: request.state).makeAsyncIterator()
            while let event = try await events.next() {
              meter?.keep(events.bufferedBytes)
              try await outgoing.send(event, of: admission.owner, request.state, encoded)
            }
          }
        }
      }
    }
    watch.endsWithDrain = true
    return watch
  }

  /// Admits a call once for those that come after it on the connection.
  fileprivate static func authenticating(_ access: any AccessControl) -> ServerMethod {
    var method = unary(ConnectionMethods.authenticate) { call, authorization in
      let call = authorization.map(call.presenting) ?? call
      _ = try await access.admission(of: call)
      call.keepAuthorization()
    }
    method.actsOnConnection = true
    return method
  }

  fileprivate static func health(_ health: HealthMonitor) -> [ServerMethod] {
    var check = unary(HealthMethods.check) { _, service in try health.status(of: service) }
    check.isAnsweredWhileDraining = true
    return [
      check,
      streaming(HealthMethods.watch) { service, send in
        for await status in health.statuses(of: service) { try await send(status) }
      },
    ]
  }
}

extension OutgoingMessages {
  fileprivate func send(
    _ event: WatchEvent, of owner: OwnerID, _ state: ItemState, _ encoded: EncodedChanges
  ) async throws {
    switch event {
    case .changes(let set):
      for message in encoded.messages(of: set, owner, state) { try await send(OutgoingMessage(encoded: message)) }
    case .snapshotPage(let items): try await send(.snapshotPage(items))
    case .snapshotEnd(let revision): try await send(.snapshotEnd(revision))
    case .progress(let revision): try await send(.progress(revision))
    // Only a service that is a client of another tells this. What is behind it is not known here.
    case .restarted: throw ToDoError.revisionCompacted(oldest: .initial)
    }
  }

  private func send(_ message: WatchMessage) async throws {
    try await send(OutgoingMessage { ToDoMethods.watchItems.response.encode(message, $0) })
  }
}

extension ServerMethod {
  /// A method of the schema: its messages become Swift values, its errors statuses.
  fileprivate static func unary<Request, Response>(
    _ method: Method<Request, Response>, _ body: @escaping @Sendable (CallContext, Request) async throws -> Response
  ) -> ServerMethod {
    .unary(method.name) { bytes, arena in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      return { call in
        let response = try await translatingErrors { try await body(call, request) }
        return OutgoingMessage { method.response.encode(response, $0) }
      }
    }
  }

  /// The same method, answered without waiting whenever `body` has the answer.
  fileprivate func answeringAtOnce<Request, Response>(
    _ method: Method<Request, Response>, _ body: @escaping @Sendable (CallContext, Request) -> Response?
  ) -> ServerMethod {
    var result = self
    result.answerAtOnce = { bytes, arena, call in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      guard let response = body(call, request) else { return nil }
      return OutgoingMessage { method.response.encode(response, $0) }
    }
    return result
  }

  fileprivate static func streaming<Request, Response>(
    _ method: Method<Request, Response>,
    _ body: @escaping @Sendable (Request, @Sendable (Response) async throws -> Void) async throws -> Void
  ) -> ServerMethod {
    .streaming(method.name) { bytes, arena in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      return { _, _, outgoing in
        try await translatingErrors {
          try await body(request) { response in
            try await outgoing.send(OutgoingMessage { method.response.encode(response, $0) })
          }
        }
      }
    }
  }

  fileprivate static func cancellation(_ method: Method<CallSelection, Void>) -> ServerMethod {
    .cancellation(method.name) { bytes, arena in
      (try method.request.decode(bytes, arena), OutgoingMessage { method.response.encode((), $0) })
    }
  }
}

/// Runs what may throw an error of the list, and gives it its form on the wire.
private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch let error as ToDoError { throw RPCError(error) }
}

private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch let error as ToDoError { throw RPCError(error) }
}
