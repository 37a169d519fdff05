import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.ReminderService`, or none if the server keeps no states of reminders.
  static func reminders(_ access: any AccessControl) -> [ServerMethod] {
    guard let book = access.reminders, let userLists = access.userLists else { return [] }
    // A viewer changes only the viewer's own state. The list decides whether the item can be changed.
    let acknowledge = lookup(ReminderMethods.acknowledgeReminder) { call, request in
      try access.lookUp(for: call) { grant in
        let reminders = book.reminders(in: try userLists.listsToChange(grant, for: call))
        return .pending { try await reminders.acknowledge(request) }
      }
    } response: { response in
      OutgoingMessage { ReminderMethods.acknowledgeReminder.response.encode(response, $0) }
    }
    return [watchReminders(access, book, userLists), acknowledge].map { $0.authenticated(by: access) }
  }

  private static func watchReminders(
    _ access: any AccessControl, _ book: ReminderBook, _ userLists: UserLists
  ) -> ServerMethod {
    let method = ReminderMethods.watchReminders
    // Each watch follows all of its user's lists, and holds reminders from each.
    let turns = OwnerTurns(concurrency: 8, waitingLimit: 0)
    var watch = ServerMethod.streaming(method.name) { bytes, arena in
      let selected = try mappingErrors { try method.request.decode(bytes, arena) }
      return { call, _, outgoing in
        try await mappingErrors {
          let grant = try await access.grant(for: call)
          try await access.withGrant(grant, for: call) {
            try await turns.run(for: grant.account) {
              try await book.reminders(in: userLists.lists(of: grant.account)).watch(in: selected) { event in
                try await outgoing.send(OutgoingMessage(encoded: method.encoded(.event(event))))
              }
            }
          }
        }
      }
    }
    watch.endsOnShutdown = true
    watch.maximumElements = maximumRemindedLists + 1
    return watch
  }
}
