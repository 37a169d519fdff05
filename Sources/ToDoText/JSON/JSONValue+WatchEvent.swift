package import ToDoModel

extension JSONValue {
  /// Returns the lines of JSON for a watch event. Each line has a `type`. Keys may be added in later versions, but are never
  /// removed.
  package static func lines(of event: WatchEvent) -> [JSONValue] {
    switch event {
    case .restarted: [line("restarted", [])]
    case .snapshotPage(let items): items.map { line("item", [Member("item", JSONValue($0))]) }
    case .snapshotEnd(let revision): [line("snapshot", members(of: revision))]
    case .progress(let revision): [line("progress", members(of: revision))]
    case .changes(let set):
      set.changes.enumerated().map { line($1, by: set.user, isLast: $0 == set.changes.count - 1) }
    }
  }

  /// Returns the lines of JSON for an event of one of several lists, which each line names.
  package static func lines(of event: WatchEvent, in list: UserList) -> [JSONValue] {
    lines(of: event).map { line in
      guard case .object(let members) = line else { return line }
      return .object(members.prefix(1) + [member(naming: list)] + members.dropFirst())
    }
  }

  /// Returns the line of JSON for the end of the watch of one of several lists.
  package static func line(ofEnd list: UserList, reason: String, message: String) -> JSONValue {
    line(
      "ended", [member(naming: list), Member("reason", .string(reason)), Member("message", .string(message))])
  }

  private static func member(naming list: UserList) -> Member {
    Member("list", .object([Member("id", .string(list.id.description)), Member("name", .string(list.name))]))
  }

  /// Returns the members for '--after' and '--incarnation', with which a watch resumes.
  private static func members(of revision: Revision) -> [Member] {
    let number = Member("revision", .integer(revision.number))
    guard let incarnation = revision.incarnation else { return [number] }
    return [number, Member("incarnation", .string(incarnation.description))]
  }

  private static func line(_ change: ItemChange, by user: String, isLast: Bool) -> JSONValue {
    let when =
      [
        Member("revision", .integer(change.revision.number)), Member("last", .bool(isLast)),
        Member("time", .string(change.time.description)),
      ] + (user.isEmpty ? [] : [Member("user", .string(user))])
    return switch change {
    case .put(let item, let cause):
      line("put", when + [Member("cause", .string(cause.rawValue)), Member("item", JSONValue(item))])
    case .deleted(let change) where change.isFilteredOut:
      line("unmatched", when + [Member("id", .string(change.id.description)), Member("done", .bool(change.wasDone))])
    case .deleted(let deletion):
      line(
        "deleted",
        when + [Member("id", .string(deletion.id.description)), Member("wasDone", .bool(deletion.wasDone))])
    }
  }

  private static func line(_ type: String, _ members: [Member]) -> JSONValue {
    .object([Member("type", .string(type))] + members)
  }
}
