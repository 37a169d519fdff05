import TTRPC
package import TTRPCTransport
package import ToDoModel
import ToDoProtocol

extension MethodTable {
  /// Every method that a server offers over ttrpc.
  ///
  /// - Parameter others: methods that a test offers besides.
  package init(serving service: any ToDoService, health: HealthMonitor, besides others: [ServerMethod] = []) {
    self.init(
      ServerMethod.toDo(service) + ServerMethod.health(health) + [.cancellation(ConnectionMethods.cancelCall)] + others)
  }
}

extension ServerMethod {
  fileprivate static func toDo(_ service: any ToDoService) -> [ServerMethod] {
    [
      unary(ToDoMethods.addItem) {
        try await service.addItem(
          $0.item, allowingDuplicate: $0.allowingDuplicate, savingWithoutCoordinate: $0.savingWithoutCoordinate)
      },
      unary(ToDoMethods.batchAddItems) {
        try await service.addItems(
          $0.items, allowingDuplicates: $0.allowingDuplicates, savingWithoutCoordinates: $0.savingWithoutCoordinates)
      },
      unary(ToDoMethods.getItem) { try await service.item($0.id) },
      unary(ToDoMethods.listItems) { try await service.items($0) },
      unary(ToDoMethods.updateItem) {
        try await service.updateItem(
          $0.id, $0.edit, ifRevision: $0.ifRevision, savingWithoutCoordinate: $0.savingWithoutCoordinate)
      },
      unary(ToDoMethods.checkItem) { try await service.checkItem($0.id, ifRevision: $0.ifRevision) },
      unary(ToDoMethods.uncheckItem) { try await service.uncheckItem($0.id, ifRevision: $0.ifRevision) },
      unary(ToDoMethods.deleteItem) { try await service.deleteItem($0.id, ifRevision: $0.ifRevision) },
      unary(ToDoMethods.deleteItems) { try await service.deleteItems($0) },
      unary(ToDoMethods.listNearbyItems) { try await service.nearbyItems($0) },
      unary(ToDoMethods.geocodeAddress) { try await service.geocode($0) },
      unary(ToDoMethods.listChanges) { try await service.changes($0) },
      watching(service),
      unary(ToDoMethods.getServerInfo) { _ in try await service.info() },
    ]
  }

  fileprivate static func watching(_ service: any ToDoService) -> ServerMethod {
    let method = ToDoMethods.watchItems
    let encoded = EncodedChanges()
    var watch = ServerMethod.streaming(method.name) { bytes, arena in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      return { _, _, outgoing in
        try await translatingErrors {
          for try await event in service.watch(from: request.start, state: request.state) {
            try await outgoing.send(event, request.state, encoded)
          }
        }
      }
    }
    watch.endsWithDrain = true
    return watch
  }

  fileprivate static func health(_ health: HealthMonitor) -> [ServerMethod] {
    var check = unary(HealthMethods.check) { try health.status(of: $0) }
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
  fileprivate func send(_ event: WatchEvent, _ state: ItemState, _ encoded: EncodedChanges) async throws {
    switch event {
    case .changes(let set): for message in encoded.messages(of: set, state) { try await send(encoded: message) }
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
    _ method: Method<Request, Response>, _ body: @escaping @Sendable (Request) async throws -> Response
  ) -> ServerMethod {
    .unary(method.name) { bytes, arena in
      let request = try translatingErrors { try method.request.decode(bytes, arena) }
      return { _ in
        let response = try await translatingErrors { try await body(request) }
        return OutgoingMessage { method.response.encode(response, $0) }
      }
    }
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

  fileprivate static func cancellation(_ method: Method<StreamID, Void>) -> ServerMethod {
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
