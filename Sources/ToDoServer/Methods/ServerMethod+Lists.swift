import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.ListService`, or none if the server has only default lists.
  static func lists(_ access: any AccessControl) -> [ServerMethod] {
    guard let userLists = access.userLists else { return [] }
    func read<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoListService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method, access) { grant, request in
        .pending { try await body(userLists.lists(of: grant.account), request) }
      }
    }
    func write<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoListService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method, access) { grant, request in
        guard !grant.isReadOnly else { throw ToDoError.readOnly }
        return .pending {
          try await body(userLists.lists(of: grant.account).attributed(to: ChangeOrigin(), under: grant.right), request)
        }
      }
    }
    let methods = [
      write(ListMethods.createList) { try await $0.createList($1) },
      read(ListMethods.getList) { try await $0.list($1) },
      read(ListMethods.listLists) { try await $0.lists(includingDeleted: $1.includingDeleted) },
      write(ListMethods.updateList) { try await $0.updateList($1.id, $1.edit, ifVersion: $1.ifVersion) },
      write(ListMethods.deleteList) { try await $0.deleteList($1) },
      write(ListMethods.undeleteList) { try await $0.undeleteList($1) },
      watchLists(access, userLists),
    ]
    return methods.map { $0.authenticated(by: access) }
  }

  private static func watchLists(_ access: any AccessControl, _ userLists: UserLists) -> ServerMethod {
    let method = ListMethods.watchLists
    var watch = ServerMethod.streaming(method.name) { bytes, arena in
      let query = try mappingErrors { try method.request.decode(bytes, arena) }
      return { call, _, outgoing in
        try await mappingErrors {
          let grant = try await access.grant(for: call)
          try await access.withGrant(grant, for: call) {
            let lists = userLists.lists(of: grant.account)
            for try await set in lists.watchLists(includingDeleted: query.includingDeleted) {
              try await outgoing.send(OutgoingMessage(encoded: method.encoded(set)))
            }
          }
        }
      }
    }
    watch.endsOnShutdown = true
    return watch
  }
}
