import ToDoModel
import ToDoText

/// The screen of the users who share a list, in which its owner invites others and changes what they can do.
struct ListMembers: Screen {
  /// The phase of a change to the members, which determines the meaning of keys.
  enum Phase: Equatable, Sendable {
    case choosing
    case inviting(Invitation)
    /// The invitation is being sent. The screen takes no edits.
    case sending(Invitation)
    /// Whether the selected member is to leave the list.
    case asking(ListMember)
  }

  /// The list, as it was last read.
  private(set) var list: UserList
  private(set) var phase = Phase.choosing
  /// The index of the selected member.
  private var selected = 0
  private var scroll = LineScroll()

  init(_ list: UserList) { self.list = list }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let actions = respond(to: event, environment)
    selected = max(0, min(selected, list.members.count - 1))
    // The owner is above the members.
    scroll.show(selected + 1..<selected + 2, height: height(environment))
    scroll.clamp(lineCount: list.members.count + 1, height: height(environment))
    return actions
  }

  private mutating func respond(to event: ScreenEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch event {
    case .key(let key): return respond(to: key, environment)
    case .paste(let text):
      if case .inviting(var invitation) = phase {
        invitation.edit { $0.insert(text) }
        phase = .inviting(invitation)
      }
    case .pointer(let pointer): respond(to: pointer, environment)
    case .result(.listsRead(.success(let set))):
      if let list = set.lists.first(where: { $0.id == list.id }) { self.list = list }
    case .result(.sharingChanged(let changed, _, let result)):
      if changed.id == list.id { take(result) }
    case .changed, .result, .timer, .resized, .minutePassed, .resumed, .watch, .draftFound, .listDeleted, .connection:
      break
    }
    return []
  }

  /// The selected member.
  private var member: ListMember? { list.members.indices.contains(selected) ? list.members[selected] : nil }

  /// Takes the list after a change. The coordinator reports a failure.
  private mutating func take(_ result: Result<UserList, EffectFailure>) {
    switch (result, phase) {
    case (.success(let list), .sending(let invitation)):
      (self.list, phase) = (list, .choosing)
      selected = list.members.firstIndex { $0.user == invitation.user } ?? selected
    case (.success(let list), _): self.list = list
    case (.failure, .sending(let invitation)): phase = .inviting(invitation)
    case (.failure, _): break
    }
  }
}

/// An invitation that the user types.
struct Invitation: Equatable, Sendable {
  private(set) var field = TextField("", limit: ItemQuery.Limits.text)
  private(set) var role = ListRole.editor

  /// The name of the user, without white space at its ends.
  var user: String { field.text.trimmed }

  /// Handles a key or a paste.
  mutating func edit(_ change: (inout TextField) -> TextField.Response) { _ = change(&field) }

  /// Switches the role that the user will have.
  mutating func switchRole() { role = role == .editor ? .viewer : .editor }

  /// Returns the line and the column of the cursor.
  func line(columns: Int) -> (text: StyledText, cursor: Int) {
    let (label, end) = ("invite: ", "  \(role.ability)")
    let visible = field.visibleText(width: max(4, columns - label.count - end.count))
    return (
      StyledText(label, .heading) + StyledText(visible.text) + StyledText(end, .faint), label.count + visible.cursor
    )
  }
}

// MARK: - Keys

extension ListMembers {
  private mutating func respond(to key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch phase {
    case .choosing: return choose(key, environment)
    case .inviting(let invitation): return invite(key, invitation, environment)
    case .sending: return []
    case .asking(let member):
      guard let answer = YesOrNo(key) else { return [] }
      phase = .choosing
      return answer == .yes ? change(.unshared(with: member.user), environment) : []
    }
  }

  private mutating func choose(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .up, .character("k"): selected -= 1
    case .down, .character("j"): selected += 1
    case .pageUp: selected -= max(1, height(environment) - 1)
    case .pageDown: selected += max(1, height(environment) - 1)
    case .home, .character("g"): selected = 0
    case .end, .character("G"): selected = list.members.count - 1
    case .character("a"):
      if let refusal = refusal(environment) { return [.message(refusal)] }
      phase = .inviting(Invitation())
    case .character("e"): return setRole(.editor, environment)
    case .character("v"): return setRole(.viewer, environment)
    case .character("d"):
      if let refusal = refusal(environment) { return [.message(refusal)] }
      guard let member else { return [.message(Self.nobody)] }
      phase = .asking(member)
    case .character("?"): return [.outcome(.wantsHelp)]
    case .escape, .character("q"): return [.outcome(.closed)]
    default: break
    }
    return []
  }

  private func setRole(_ role: ListRole, _ environment: ScreenEnvironment) -> [ScreenAction] {
    if let refusal = refusal(environment) { return [.message(refusal)] }
    guard let member else { return [.message(Self.nobody)] }
    guard member.role != role else {
      let ability = member.isInvited ? "is invited to \(role.verb)" : role.ability
      return [.message("\(member.user.escapingControls()) \(ability) the list already")]
    }
    return change(.shared(with: member.user, as: role), environment)
  }

  private mutating func invite(
    _ key: KeyPress, _ invitation: Invitation, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    var invitation = invitation
    switch key {
    case .escape: phase = .choosing
    case .tab, .backTab:
      invitation.switchRole()
      phase = .inviting(invitation)
    case .enter, .control("s"):
      guard !invitation.user.isEmpty else { return [.message("type the name of a user of the server")] }
      let actions = change(.shared(with: invitation.user, as: invitation.role), environment)
      if case .perform = actions.first { phase = .sending(invitation) }
      return actions
    default:
      invitation.edit { $0.handle(key) }
      phase = .inviting(invitation)
    }
    return []
  }

  private func change(_ change: ListSharingChange, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard environment.connection.isUsable else { return [.message(ListMessage.notConnected)] }
    return [.perform(.changeSharing(list, change))]
  }

  /// Returns the reason why the user cannot share the list, or `nil`.
  private func refusal(_ environment: ScreenEnvironment) -> String? {
    if environment.isReadOnly { return ListMessage.readOnly }
    if environment.connection == .local {
      return "lists are shared on a server; log in as a user of one with 'todo login'"
    }
    if list.id.isDefault { return "the default list cannot be shared" }
    return list.role == .owner ? nil : "only \(list.ownerUser.escapingControls()) can change who shares the list"
  }

  private static let nobody = "the list is shared with nobody"

  /// Handles a click, which selects a member, or the wheel, which moves the selection.
  private mutating func respond(to pointer: PointerEvent, _ environment: ScreenEnvironment) {
    guard phase == .choosing else { return }
    switch pointer.kind {
    case .wheelUp: selected -= 1
    case .wheelDown: selected += 1
    case .click:
      let row = pointer.position.row - headingHeight(environment)
      guard (0..<height(environment)).contains(row), list.members.indices.contains(row + scroll.offset - 1) else {
        return
      }
      selected = row + scroll.offset - 1
    }
  }
}

// MARK: - Drawing

extension ListMembers {
  /// The number of rows for the heading, which a low window does not have.
  private func headingHeight(_ environment: ScreenEnvironment) -> Int { environment.bodyRows > 2 ? 1 : 0 }

  /// The number of rows for users.
  private func height(_ environment: ScreenEnvironment) -> Int {
    max(0, environment.bodyRows - headingHeight(environment) - (invitation == nil ? 0 : 1))
  }

  private var invitation: Invitation? {
    switch phase {
    case .choosing, .asking: nil
    case .inviting(let invitation), .sending(let invitation): invitation
    }
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let columns = environment.columns
    let heading = "Members of '\(list.name.escapingControls())'".truncated(toWidth: columns)
    var lines = headingHeight(environment) > 0 ? [StyledText(heading, .heading)] : []
    lines += scroll.visibleLines(of: body(columns), height: height(environment))
    var drawing = ScreenDrawing(lines: lines, hints: hints(environment), status: status)
    if case .asking = phase { drawing.isAsking = true }
    guard let invitation, environment.bodyRows > 0 else { return drawing }
    let line = invitation.line(columns: columns)
    let row = environment.bodyRows - 1
    let text = line.text.displayWidth <= columns ? line.text : StyledText(line.text.text.truncated(toWidth: columns))
    drawing.lines += Array(repeating: StyledText(), count: max(0, row - lines.count)) + [text]
    if case .inviting = phase {
      drawing.cursor = ScreenPosition(row: row, column: min(line.cursor, max(0, columns - 1)))
    }
    return drawing
  }

  /// Returns the owner and the members.
  private func body(_ columns: Int) -> [StyledText] {
    let owner = list.role == .owner ? "you" : list.ownerUser
    let names = ([owner] + list.members.map(\.user)).map { $0.escapingControls() }
    let width = names.map(\.displayWidth).max() ?? 0
    let abilities = ["owner"] + list.members.map { $0.role.ability + ($0.isInvited ? ", invited" : "") }
    return zip(names, abilities).enumerated().map { index, row in
      let isSelected = index > 0 && index - 1 == selected
      let text = "\(isSelected ? ">" : " ") \(row.0.padded(toWidth: width))  \(row.1)"
      return StyledText(text.truncated(toWidth: columns), isSelected ? .highlighted : .plain)
    }
  }

  private var status: String {
    switch phase {
    case .choosing: list.members.isEmpty ? Self.nobody : "\(selected + 1) of \(list.members.count)"
    case .inviting: ""
    case .sending: "inviting"
    case .asking(let member):
      "Stop sharing '\(list.name.escapingControls())' with \(member.user.escapingControls())? y/n"
    }
  }

  private func hints(_ environment: ScreenEnvironment) -> [KeyHint] {
    switch phase {
    case .sending, .asking: return []
    case .inviting(let invitation):
      let other = invitation.role == .editor ? "can view" : "can edit"
      return [KeyHint("Enter", "invite"), KeyHint("Tab", other), KeyHint("Esc", "cancel")]
    case .choosing: break
    }
    var changes: [KeyHint] = []
    if refusal(environment) == nil {
      changes = [KeyHint("a", "invite")]
      if let member {
        changes.append(member.role == .editor ? KeyHint("v", "can view") : KeyHint("e", "can edit"))
        changes.append(KeyHint("d", "stop sharing"))
      }
    }
    return changes + [KeyHint("Esc", "back"), KeyHint("?", "keys")]
  }
}
