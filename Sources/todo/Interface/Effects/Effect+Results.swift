import ToDoModel
import ToDoRPC
import ToDoScreens
import ToDoSupport
import ToDoText

extension Effect {
  /// Returns the result of a failed change to the list, or `nil` for another effect.
  func result(of failure: EffectFailure) -> EffectResult? {
    switch self {
    case .check(let id, _): .changed(id, .checked, .failure(failure))
    case .uncheck(let id): .changed(id, .unchecked, .failure(failure))
    case .delete(let id): .changed(id, .deleted, .failure(failure))
    case .deleteAll(let selection): .deletedAll(selection, .failure(failure))
    case .revert: .reverted(.failure(failure))
    case .add, .update, .split: .saved(.failure(failure))
    case .addElsewhere(_, _, let list): .addedElsewhere(list, .failure(failure))
    case .setSteps(let id, _, _): .stepsSet(id, .failure(failure))
    case .reschedule(let id, _, _, let action): .changed(id, action, .failure(failure))
    case .move(let id, _, let list): .changed(id, .moved(to: list.name), .failure(failure))
    case .changeSharing(let list, let change): .sharingChanged(list, change, .failure(failure))
    case .createList, .renameList: .listSaved(.failure(failure))
    default: nil
    }
  }

  /// Whether the effect adds an item.
  var isAdd: Bool {
    switch self {
    case .add, .addElsewhere, .split: true
    default: false
    }
  }

  /// The list, other than the one that is shown, to which an item is moved or added.
  var otherList: UserList? {
    switch self {
    case .move(_, _, let list), .addElsewhere(_, _, let list): list
    default: nil
    }
  }
}

extension EffectResult {
  /// Whether an item was saved.
  var isSaved: Bool {
    switch self {
    case .saved(.success), .addedElsewhere(_, .success): true
    default: false
    }
  }

  /// The revision of the list after a change, or `nil` if nothing changed.
  var revision: Revision? {
    switch self {
    case .changed(_, _, .success(let revision)): revision
    case .deletedAll(_, .success(let deletion)): deletion.revision
    case .reverted(.success(let reversal)): reversal.revision
    case .saved(.success(let item)), .stepsSet(_, .success(let item)): item.revision
    default: nil
    }
  }

  /// The failure of a change to the list.
  var changeFailure: EffectFailure? {
    switch self {
    case .changed(_, _, .failure(let failure)), .deletedAll(_, .failure(let failure)),
      .reverted(.failure(let failure)), .saved(.failure(let failure)), .stepsSet(_, .failure(let failure)),
      .addedElsewhere(_, .failure(let failure)), .listSaved(.failure(let failure)),
      .sharingChanged(_, _, .failure(let failure)):
      failure
    default: nil
    }
  }
}

extension ToDoListService {
  /// Reads the lists.
  func currentLists() async -> EffectResult {
    do { return .listsRead(.success(try await lists())) } catch { return .listsRead(.failure(EffectFailure(error))) }
  }
}

extension ToDoListService {
  /// Counts the incomplete items of lists, at most a page of each.
  func counts(of ids: [ListID], in context: CommandContext) async -> EffectResult {
    var counts: [ListID: ListCounts] = [:]
    for id in ids where !Task.isCancelled {
      guard let page = try? await items(in: id).items(ItemQuery(state: .toDo)) else { continue }
      counts[id] = ListCounts(
        page.items, isPartial: page.nextPageToken != nil, now: context.clock.now(), today: context.today)
    }
    return .itemsCounted(counts)
  }

  /// Reads the invitations to lists of other users.
  func currentInvitations() async -> EffectResult {
    do { return .invitationsRead(.success(try await knownInvitations())) } catch {
      return .invitationsRead(.failure(EffectFailure(error)))
    }
  }

  /// Changes a list's sharing, and returns the list.
  func changeSharing(of list: ListID, _ change: ListSharingChange) async throws -> UserList {
    switch change {
    case .accepted: try await acceptList(list)
    case .declined, .left: try await leaveList(list)
    case .shared(let user, let role): try await shareList(list, with: user, as: role)
    case .unshared(let user): try await unshareList(list, with: user)
    }
  }
}

extension ToDoService {
  /// Geocodes an address for the form.
  func result(of query: GeocodeQuery, in context: CommandContext) async -> EffectResult {
    do {
      let result = try await geocodeMarkingGuesses(query, in: context)
      let isGuess = result.candidates.first?.isGuess ?? false
      return .geocoded(query, .success(result), isGuess: isGuess)
    } catch {
      return .geocoded(query, .failure(EffectFailure(error)))
    }
  }

  /// Returns the revision at which the list lost items in a move, with which the move can be undone; `.initial` if it is unknown.
  func revision(of move: ListMove) async -> Revision {
    // The items have been moved, whether or not the history can be read.
    let page = try? await history(HistoryQuery(pageSize: 20))
    return page?.revisions.first { $0.origin.moved == move }?.revision ?? .initial
  }

  /// Reads the latest changes of an item.
  func recentHistory(of id: ItemID) async -> EffectResult {
    do { return .historyRead(id, .success(try await history(HistoryQuery(item: id, pageSize: 20)).revisions)) } catch {
      return .historyRead(id, .failure(EffectFailure(error)))
    }
  }

  /// Returns a change's failure. The failure of a duplicate names the existing item, if the service returns it.
  func failure(_ error: any Error) async -> EffectFailure {
    var failure = EffectFailure(error)
    if case .duplicateItem(_, let existing) = error as? ToDoError, let item = try? await item(existing) {
      failure.message = "an identical item already exists: \(item.shortReference)"
    }
    return failure
  }
}

extension EffectFailure {
  /// Too many changes are pending.
  static let tooManyChanges = EffectFailure(
    kind: .other, message: "too many changes are waiting for the service; try again in a moment")

  /// Creates the failure that the screens show for an error of a service.
  init(_ error: any Error) {
    let failure = Failure(error)
    let fields = failure.fields.map {
      "\(RequestField($0.field).option.filter { !"<>".contains($0) }.replacing("--", with: "")) \($0.reason.escapingControls())"
    }
    self.init(kind: Kind(error, failure), message: ([failure.message] + fields).joined(separator: ": "))
    switch error as? ToDoError {
    case .addressNotFound: message = "no coordinate was found for the address"
    case .duplicateItem: message = "an identical item already exists"
    case .revisionMismatch: message = "the item has changed elsewhere; close the form and edit the item again"
    case .itemNotFound: message = "the item was deleted elsewhere"
    case .itemIDConflict:
      message = "the item was already added, with its earlier content; find it in the list and edit it"
    case .listNotFound: message = "the list was deleted elsewhere"
    case .duplicateList: message = "another list has this name"
    case .listVersionMismatch: message = "the list has changed elsewhere; rename it again"
    case .deletionMustBePermanent: message += "; 'todo delete' asks for permission"
    case .unauthenticated: message += "; sign in with 'todo login'"
    default: break
    }
  }
}

extension EffectFailure.Kind {
  fileprivate init(_ error: any Error, _ failure: Failure) {
    switch error as? ToDoError {
    case .addressNotFound: self = .addressNotFound
    case .geocoderUnavailable: self = .lookupFailed
    case .duplicateItem: self = .duplicate
    case .revisionMismatch, .itemNotFound: self = .changedElsewhere
    default:
      let isUnsupported = (error as? RPCError)?.code == .unimplemented
      self = isUnsupported ? .unsupported : failure.status == .unreachable ? .unreachable : .other
    }
  }
}
