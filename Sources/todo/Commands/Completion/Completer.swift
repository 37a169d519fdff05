import ArgumentParser
import ToDoGeocoders
import ToDoModel

/// Prints the candidates of a completion request. After a failure or the deadline, prints nothing.
struct Completer: Sendable {
  let context: CommandContext
  let request: CompletionRequest

  /// Prints the candidates, and returns when the connection is closed or the deadline has passed.
  func run() async {
    guard let target = request.line.target,
      let options = try? GlobalOptions.parse(request.line.serviceOptions)
    else { return }
    let session = Session(options: options, context: context, list: request.line.list)
    let (results, result) = AsyncStream.makeStream(
      of: [CompletionCandidate].self, bufferingPolicy: .bufferingOldest(1))
    // Not child tasks, because a group waits for its tasks, and a database or a resolver can block its task beyond the
    // deadline. The process exits then.
    let tasks = [
      Task {
        _ = try? await read(target, session) { _ = result.yield($0) }
        result.finish()
      },
      Task {
        await context.completionDeadline()
        result.finish()
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await candidates in results { print(candidates) }
  }

  private func print(_ candidates: [CompletionCandidate]) {
    let text = request.format.text(candidates.matching(request.line))
    if !text.isEmpty { try? context.terminal.output(text) }
  }

  /// Reads the candidates of a target from the list. Neither creates a list nor reads standard input.
  private func read(
    _ target: CompletionTarget, _ session: Session, _ report: ([CompletionCandidate]) -> Void
  ) async throws {
    switch target {
    case .dates: return report([CompletionCandidate](datesOf: session.dueDateParser))
    case .dueFilters: return report([CompletionCandidate](dueFiltersOf: session.dueDateParser))
    case .priorities: return report([CompletionCandidate].priorities)
    case .repetitions: return report([CompletionCandidate].repetitions)
    case .reminders: return report([CompletionCandidate].reminders)
    case .reminderActions: return report(RemindCommand.Action.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .tagChanges: return report([CompletionCandidate(value: TagsCommand.rename)])
    case .listChanges: return report(ListChange.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .notificationChanges:
      return report(NotifyCommand.Change.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .feedChanges: return report(FeedCommand.Change.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .notificationKinds:
      return report(NotificationTarget.Kind.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .listColors: return report(ListColor.allCases.map { CompletionCandidate(value: $0.rawValue) })
    case .stepChanges: return report(StepChange.names.map { CompletionCandidate(value: $0) })
    default: break
    }
    guard context.environment("TODO_TOKEN_FILE") != "-" else { return }
    var selection = try session.selection()
    if case .embedded(let path, _) = selection {
      guard context.fileExists(path) else { return }
      selection = .embedded(path: path, geocoder: GeocoderSelection([]))
    }
    var connection = try await context.connect(selection)
    if let candidates = try? await candidates(for: target, in: &connection, session) { report(candidates) }
    await connection.close()
  }

  /// Returns the candidates for a target that depends on the lists, or on the selected list's items.
  private func candidates(
    for target: CompletionTarget, in connection: inout ServiceConnection, _ session: Session
  ) async throws -> [CompletionCandidate] {
    if target == .invitations {
      return try await connection.lists.invitations().map { CompletionCandidate(value: $0.name) }
    }
    if case .lists(let deleted) = target {
      return try await connection.lists.lists(includingDeleted: deleted).lists
        .filter { $0.isDeleted == deleted && (!deleted || $0.role == .owner) }
        .map { CompletionCandidate(value: $0.name) }
    }
    if case .users(let list) = target {
      let set = try await connection.lists.lists()
      let lists = try list.map { [try set.list($0)] } ?? set.lists
      let users = lists.flatMap { list in
        list.members.map(\.user) + (list.role == .owner || list.ownerUser.isEmpty ? [] : [list.ownerUser])
      }
      return Set(users).sorted().map { CompletionCandidate(value: $0) }
    }
    if let list = try session.listSelection(of: try session.selection()) { try await connection.select(list) }
    return try await candidates(for: target, in: connection.service)
  }

  /// Returns the candidates of a target that depends on the items.
  private func candidates(
    for target: CompletionTarget, in service: any ToDoService
  ) async throws -> [CompletionCandidate] {
    var query = ItemQuery(pageSize: ItemQuery.Limits.pageSize)
    switch target {
    case .items(let state, let references):
      query.state = state
      let items = try await service.items(query).items
      return [CompletionCandidate](items, except: references)
    case .deletedItems(let references):
      query.deleted = .only
      // A server of an earlier version ignores the filter.
      let items = try await service.items(query).items.filter { $0.deletion != nil }
      return [CompletionCandidate](items, except: references)
    case .places(let prefix):
      query.order = .updated
      return [CompletionCandidate](placesOf: try await service.items(query).items, prefix: prefix)
    case .tags(let prefix):
      query.state = .toDo
      return [CompletionCandidate](tagsOf: try await service.items(query).items, prefix: prefix)
    case .dates, .dueFilters, .priorities, .repetitions, .reminders, .reminderActions, .stepChanges, .tagChanges,
      .listChanges, .listColors, .lists, .invitations, .users, .notificationChanges, .notificationKinds, .feedChanges:
      return []
    }
  }
}
