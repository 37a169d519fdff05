import ToDoModel
import ToDoProtocol
import ToDoRPC

extension ServerMethod {
  /// ParseQuickAdd. It accesses no list, and read-only credentials are sufficient. A caller's sentences are read one at a time, and
  /// not on the event loop, because a long one takes milliseconds.
  static func parseQuickAdd(_ access: any AccessControl, _ parser: QuickAddParser) -> ServerMethod {
    let turns = OwnerTurns(concurrency: 1)
    var parse = unary(ToDoMethods.parseQuickAdd, access) { grant, sentence in
      .pending { try await turns.run(for: grant.account) { try parser.parse(sentence) } }
    }
    parse.runsOnEventLoop = false
    return parse.authenticated(by: access)
  }
}
