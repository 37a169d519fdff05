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
      _ body: @escaping @Sendable (LocalToDoListService, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method, access) { grant, request in
        .pending { try await body(userLists.lists(of: grant.account), request) }
      }
    }
    func write<Request, Response>(
      _ method: Method<Request, Response>,
      _ body: @escaping @Sendable (any ToDoListService, Request) async throws -> Response
    ) -> ServerMethod {
      lookup(method) { call, request in
        try access.lookUp(for: call) { grant in
          let lists = try userLists.listsToChange(grant, for: call)
          return .pending { try await body(lists, request) }
        }
      } response: { response in
        OutgoingMessage { method.response.encode(response, $0) }
      }
    }
    let methods = [
      write(ListMethods.createList) { try await $0.createList($1) },
      read(ListMethods.getList) { try await $0.list($1) },
      read(ListMethods.listLists) { try await $0.set($1.includingDeleted, invitations: $1.includingInvitations) },
      write(ListMethods.updateList) { try await $0.updateList($1.id, $1.edit, ifVersion: $1.ifVersion) },
      write(ListMethods.deleteList) { try await $0.deleteList($1) },
      write(ListMethods.undeleteList) { try await $0.undeleteList($1) },
      moveItems(access, userLists),
      watchLists(access, userLists),
    ]
    let sharing = [
      write(ListMethods.shareList) { try await $0.shareList($1.id, with: $1.user, as: $1.role) },
      write(ListMethods.unshareList) { try await $0.unshareList($1.id, with: $1.user) },
      write(ListMethods.acceptList) { try await $0.acceptList($1) },
      write(ListMethods.leaveList) { try await $0.leaveList($1) },
    ]
    return (userLists.canBeShared ? methods + sharing : methods).map { $0.authenticated(by: access) }
  }

  /// MoveItems, whose response can be large. The moves of one user are performed and encoded one at a time.
  private static func moveItems(_ access: any AccessControl, _ userLists: UserLists) -> ServerMethod {
    let turns = OwnerTurns(concurrency: 1)
    var move = lookup(ListMethods.moveItems) { call, request in
      try access.lookUp(for: call) { grant in
        let lists = try userLists.listsToChange(grant, for: call)
        return .pending {
          try await turns.run(for: grant.account) {
            let items = try await lists.moveItems(
              request.ids, from: request.source, to: request.target, allowingDuplicate: request.allowsDuplicates)
            return ListMethods.moveItems.encoded(items)
          }
        }
      }
    } response: { message in
      OutgoingMessage(encoded: message)
    }
    move.runsOnEventLoop = false
    // With an ID more than the limit, the service itself reports the excessive request.
    move.maximumElements = UserList.Limits.movedItems + 1
    return move
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

extension UserLists {
  /// Returns the caller's lists, whose changes are attributed to the call.
  ///
  /// - Throws: `ToDoError.readOnly`.
  func listsToChange(_ grant: AccessGrant, for call: CallContext) throws -> LocalToDoListService {
    guard !grant.isReadOnly else { throw ToDoError.readOnly }
    let origin = ChangeOrigin(user: grant.user, client: call.clientName)
    return lists(of: grant.account, user: grant.user).attributed(to: origin, under: grant.right)
  }
}
