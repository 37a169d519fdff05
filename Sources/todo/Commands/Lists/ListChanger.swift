import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

/// Shows and changes lists for `todo lists`.
struct ListChanger {
  let session: Session
  let lists: any ToDoListService
  /// The service that has the lists.
  let service: ServiceSelection

  /// Prints all lists, or the deleted ones.
  func show(deleted: Bool) async throws {
    var set = try await lists.lists(includingDeleted: deleted)
    set.lists.removeAll { $0.isDeleted != deleted }
    let invitations = deleted ? [] : try await lists.knownInvitations()
    if session.options.json {
      var members: [JSONValue.Member] = [
        .init("version", .integer(set.version)), .init("lists", .array(set.lists.map(JSONValue.init))),
      ]
      if !invitations.isEmpty { members.append(.init("invitations", .array(invitations.map(JSONValue.init)))) }
      try session.print(JSONValue.object(members).indentedText)
    } else if session.options.quiet {
      try session.printLines(set.lists.map(\.id.description))
    } else if set.lists.isEmpty {
      session.printNotice("No list can be restored.")
    } else {
      try session.printLines(deleted ? set.lists.map(deletedLine) : lines(set))
      for invitation in invitations { session.printNotice(invitation.invitationText) }
    }
  }

  private func lines(_ set: ListSet) throws -> [StyledText] {
    let selection = try session.listSelection(of: service)
    let inUse = selection.map { try? set.list($0.text).id } ?? .default
    let width = set.lists.map { $0.name.escapingControls().displayWidth }.max() ?? 0
    return set.lists.map { list in
      let name = list.name.escapingControls()
      let mark = list.id == inUse ? "* " : "  "
      let color = list.color == .none ? "" : list.color.rawValue
      let sharing = list.sharingText ?? ""
      guard !color.isEmpty || !sharing.isEmpty else { return StyledText(mark + name) }
      let comma = color.isEmpty || sharing.isEmpty ? "" : ", "
      return StyledText(mark + name.padded(toWidth: width) + "  ") + StyledText(color, TextStyle(list.color))
        + StyledText(comma + sharing, .faint)
    }
  }

  private func deletedLine(_ list: UserList) -> StyledText {
    let owner = list.role == .owner ? nil : "\(list.ownerUser.escapingControls())'s"
    let details = [owner, keptUntil(list)].compactMap(\.self).joined(separator: ", ")
    return StyledText("\(list.name.escapingControls())  ") + StyledText(details, .faint)
  }

  /// The time until which a deleted list can be restored.
  private func keptUntil(_ list: UserList) -> String? {
    list.deletion.flatMap { session.zone.localTime(at: $0.expiresAt).date }
      .map { "kept until \(DueDate.date($0).shortText(today: session.context.today, in: session.zone))" }
  }

  /// Makes a change.
  ///
  /// - Parameter words: the words after the name of the change, as many as it needs.
  func perform(_ change: ListChange, _ words: [String]) async throws {
    switch change {
    case .create: try await create(words[0], color: words.count > 1 ? try color(words[1]) : .none)
    case .rename: try await update(words[0], ListEdit(name: words[1]), "Renamed \(words[0].escapingControls()) to")
    case .color: try await update(words[0], ListEdit(color: try color(words[1])), "Changed the color of")
    case .order: try await update(words[0], ListEdit(order: try order(words[1])), "Changed the order of")
    case .delete: try await delete(words[0])
    case .restore:
      let set = try await lists.lists(includingDeleted: true)
      let own = ListSet(version: set.version, lists: set.lists.filter { $0.role == .owner })
      let list = try (try? own.list(words[0], deleted: true)) ?? set.list(words[0], deleted: true)
      try report(try await naming(list.name) { try await lists.undeleteList(list.id) }, "Restored the list")
    case .accept: try await accept(words[0])
    case .decline: try await decline(words[0])
    case .leave: try await leave(words[0])
    }
  }

  private func accept(_ text: String) async throws {
    let list = try await invitation(text)
    guard !list.isInvitation, !session.options.json, !session.options.quiet else {
      return try report(try await lists.acceptList(list.id), "Accepted the list")
    }
    let name = list.name.escapingControls()
    try session.print("You have accepted \(name) already. Use it with: todo use '\(name)'")
  }

  private func decline(_ text: String) async throws {
    let list = try await invitation(text)
    let name = list.name.escapingControls()
    guard list.isInvitation else {
      throw Failure(
        code: .failedPrecondition, reason: "LIST_ACCEPTED", message: "you have accepted the list '\(name)' already",
        details: ["Leave it with: todo lists leave '\(name)'"])
    }
    try report(try await lists.leaveList(list.id), "Declined the list")
  }

  /// Returns the invitation to a list, or the list if the user has accepted it already.
  private func invitation(_ text: String) async throws -> UserList {
    let invitations = try await lists.invitations()
    do throws(Failure) { return try ListSet(version: 0, lists: invitations).list(text) } catch {
      guard error.reason == "LIST_NOT_FOUND" else { throw error }
      let accepted = try await lists.lists(includingDeleted: false).lists.filter { $0.role != .owner }
      if let list = try? ListSet(version: 0, lists: accepted).list(text) { return list }
      guard !invitations.isEmpty else {
        throw Failure(code: .notFound, reason: error.reason, message: "you have no invitations")
      }
      let names = invitations.map { $0.name.escapingControls() }.joined(separator: ", ")
      throw Failure(
        code: .notFound, reason: error.reason, message: "you are not invited to '\(text.escapingControls())'",
        details: ["You are invited to: \(names)."])
    }
  }

  private func leave(_ text: String) async throws {
    let list = try await listToLeave(text)
    let name = list.name.escapingControls()
    guard list.role != .owner else {
      throw Failure.usage("the list '\(name)' is yours; to delete it, run 'todo lists delete'")
    }
    guard try session.confirm("Leave the list '\(name)'?") else {
      session.printNotice("You have not left the list.")
      throw ExitStatus.failure
    }
    try report(try await lists.leaveList(list.id), "Left the list")
    try returnToDefaultList(from: list)
  }

  /// Returns a list, or else one that another user has deleted.
  private func listToLeave(_ text: String) async throws -> UserList {
    do { return try await lists.list(text) } catch let failure as Failure {
      let set = try await lists.lists(includingDeleted: true)
      let others = ListSet(version: set.version, lists: set.lists.filter { $0.role != .owner })
      guard let list = try? others.list(text, deleted: true) else { throw failure }
      return list
    }
  }

  private func create(_ name: String, color: ListColor) async throws {
    let id = session.context.makeID(session.clock.now())
    let list = NewList(id: ListID(high: id.high, low: id.low), name: name, color: color)
    try report(try await naming(name) { try await lists.createList(list) }, "Created the list")
  }

  private func update(_ text: String, _ edit: ListEdit, _ verb: String) async throws {
    let list = try await lists.list(text)
    let updated = try await naming(edit.name ?? list.name) {
      try await lists.updateList(list.id, edit, ifVersion: nil)
    }
    try report(updated, verb)
  }

  private func delete(_ text: String) async throws {
    let list = try await lists.list(text)
    try list.checkIsOwn()
    let name = list.name.escapingControls()
    guard try list.id.isDefault || session.confirm("Delete the list '\(name)' with its items?") else {
      session.printNotice("Nothing was deleted.")
      throw ExitStatus.failure
    }
    let deleted = try await lists.deleteList(list.id)
    try report(deleted, "Deleted the list")
    let kept = keptUntil(deleted).map { " It is \($0)." } ?? ""
    session.printNotice("Restore it with: todo lists restore '\(name)'.\(kept)")
    try returnToDefaultList(from: list)
  }

  /// Selects the default list if the list in use is gone.
  private func returnToDefaultList(from list: UserList) throws {
    guard let file = UsedLists(environment: session.context.environment), try file.list(of: service) == list.id else {
      return
    }
    try file.set(.default, of: service)
    session.printNotice("It was the list in use; commands use the default list now.")
  }

  private func report(_ list: UserList, _ text: String) throws {
    if session.options.json { return try session.print(JSONValue(list).indentedText) }
    if session.options.quiet { return try session.print(list.id.description) }
    try session.print("\(text) \(list.name.escapingControls()).")
  }

  /// Runs a change. If another list has the name, the error says so.
  private func naming(_ name: String, _ change: () async throws -> UserList) async throws -> UserList {
    do { return try await change() } catch let error as ToDoError {
      guard case .duplicateList = error else { throw error }
      var failure = Failure(error)
      failure.message = "another list is named '\(name.escapingControls())'"
      throw failure
    }
  }

  private func color(_ text: String) throws(Failure) -> ListColor {
    guard let color = ListColor(rawValue: text.lowercased()) else {
      let names = ListColor.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("'\(text.escapingControls())' is not a color; the colors are \(names)", reason: "INVALID_COLOR")
    }
    return color
  }

  private func order(_ text: String) throws(Failure) -> Int32 {
    guard let order = Int32(text) else {
      throw .usage("'\(text.escapingControls())' is not a number for the order", reason: "INVALID_ORDER")
    }
    return order
  }
}

extension JSONValue {
  /// Creates the JSON form of a list. Only deleted lists have `deleteTime` and `expireTime`. `owner` is null for a list of one's
  /// own, and `members` is empty for a list that is not shared.
  init(_ list: UserList) {
    let deletion = list.deletion.map {
      [
        Member("deleteTime", .string($0.deletedAt.description)),
        Member("expireTime", .string($0.expiresAt.description)),
      ]
    }
    self = .object(
      [
        Member("id", .string(list.id.description)),
        Member("name", .string(list.name)),
        Member("color", .string(list.color.rawValue)),
        Member("order", .integer(Int64(list.order))),
        Member("createTime", .optional(list.createdAt?.description)),
        Member("updateTime", .optional(list.updatedAt?.description)),
        Member("version", .integer(list.version)),
      ] + (deletion ?? []) + Self.sharing(of: list))
  }

  private static func sharing(of list: UserList) -> [Member] {
    let members = list.members.map { member in
      JSONValue.object([
        Member("user", .string(member.user)), Member("role", .string(member.role.rawValue)),
        Member("invited", .bool(member.isInvited)),
      ])
    }
    return [
      Member("role", .string(list.role.rawValue)),
      Member("owner", list.role == .owner ? .null : .string(list.ownerUser)), Member("members", .array(members)),
    ]
  }
}

extension ListRole {
  /// The role as a verb, such as `edit`.
  var verb: String {
    switch self {
    case .owner: "own"
    case .editor: "edit"
    case .viewer: "view"
    }
  }
}

extension ToDoListService {
  /// Returns the invitations; none if the server does not know them.
  func knownInvitations() async throws -> [UserList] {
    do { return try await invitations() } catch let error as RPCError where error.code == .unimplemented { return [] }
  }

  /// Returns the failure to find a list, which says so if the user has not accepted the list yet.
  func mentioningInvitation(to text: String, _ failure: Failure) async -> Failure {
    guard failure.reason == "LIST_NOT_FOUND", let invitations = try? await knownInvitations(),
      let invitation = try? ListSet(version: 0, lists: invitations).list(text)
    else { return failure }
    var failure = failure
    failure.details = [invitation.invitationText]
    return failure
  }

  /// Returns the user's list that a name, an ID or its beginning means.
  ///
  /// - Throws: `Failure`, as `ListSet.list(_:deleted:)` does; the errors of the service.
  func list(_ text: String) async throws -> UserList {
    let set = try await lists(includingDeleted: true)
    do throws(Failure) { return try set.list(text) } catch { throw await mentioningInvitation(to: text, error) }
  }
}

extension UserList {
  /// Checks that the list is the user's own, before a question whose answer could only be refused.
  ///
  /// - Throws: `ToDoError.notPermitted`.
  func checkIsOwn() throws(ToDoError) {
    if role != .owner { throw .notPermitted(needed: .owner) }
  }

  /// The sentence that says who invites the user to the list, with the command that accepts the invitation.
  var invitationText: String {
    let name = name.escapingControls()
    return "\(ownerUser.escapingControls()) invites you to \(role.verb) '\(name)': todo lists accept '\(name)'"
  }

  /// The owner, if another user shares the list, or the members, if the user does; `nil` if it is not shared.
  fileprivate var sharingText: String? {
    guard role == .owner else { return "\(ownerUser.escapingControls())'s, can \(role.verb)" }
    let names = members.map { $0.user.escapingControls() + ($0.isInvited ? " (invited)" : "") }
    return names.isEmpty ? nil : "shared with \(names.joined(separator: ", "))"
  }
}
