import ToDoModel

// MARK: - Keys

extension ListScreen {
  /// The maximum number of items on a map.
  private static let mapLimit = 1_000
  /// The maximum number of rows that are examined for a coordinate.
  private static let mapSearchLimit = 20_000

  mutating func handle(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    if question != nil { return answer(key, environment) }
    if input.isOpen { return handleInput(key, environment) }
    if let actions = handleNumber(key, content) { return actions }
    let ended: [ScreenAction] = typedNumber == nil ? [] : [.perform(.cancelTimer(.number))]
    typedNumber = nil
    if move(key, environment) { return ended }
    return ended + command(key, content, environment)
  }

  /// Handles a key that moves the selection.
  ///
  /// - Returns: whether it is such a key.
  private mutating func move(_ key: KeyPress, _ environment: ScreenEnvironment) -> Bool {
    switch key {
    case .up, .character("k"), .control("p"): moveSelection(by: -1)
    case .down, .character("j"), .control("n"): moveSelection(by: 1)
    case .pageUp, .control("b"): moveSelection(by: -pageSize(environment))
    case .pageDown, .control("f"): moveSelection(by: pageSize(environment))
    case .home, .character("g"): moveSelection(to: 0)
    case .end, .character("G"): moveSelection(to: sections.count - 1)
    case .tab, .backTab: switchSection()
    default: return false
    }
    return true
  }

  private mutating func command(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch key {
    case .character("/"): input = .search(filter)
    case .character("f"): input = .filter(FilterFields(filter))
    case .character("s"): return sort(by: orderAfterCurrent)
    case .character("m"): return [mapAction]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .character("q"): return [.outcome(.closed)]
    case .character("a"): return unlessReadOnly(environment, .outcome(.wantsToAdd))
    case .character("A"): return unlessReadOnly(environment, .outcome(.wantsForm))
    case .character("D"): return askBeforeDeletion(content, environment)
    case .character("u"): return ifChangeable(environment, .outcome(.wantsUndo))
    case .escape: return escape(environment)
    default: return itemCommand(key, environment)
    }
    return []
  }

  /// The keys that concern the selected item.
  private static let itemKeys: Set<KeyPress> = [
    .enter, .character("e"), .character(" "), .character("d"), .character("n"),
  ]

  /// Handles a key that concerns the selected item.
  private mutating func itemCommand(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let item = selected?.item else {
      return isDeselected && Self.itemKeys.contains(key) ? [.message(ListMessage.nothingSelected)] : []
    }
    switch key {
    case .enter: return choose(.outcome(.opened(item.id)))
    case .character("e"): return unlessReadOnly(environment, choose(.outcome(.wantsToEdit(item.id))))
    case .character(" "):
      return ifChangeable(environment, choose(.perform(item.isDone ? .uncheck(item.id) : .check(item.id))))
    case .character("d"): return ifChangeable(environment, choose(.perform(.delete(item.id))))
    case .character("n"):
      let hasCoordinate = item.location?.coordinate != nil
      return choose(hasCoordinate ? .outcome(.wantsNearby(item.id)) : .message(ListMessage.noCoordinate))
    default: return []
    }
  }

  /// Asks which items to delete, unless none can be.
  private mutating func askBeforeDeletion(_ content: ListContent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    let refusal = ifChangeable(environment, [])
    guard refusal.isEmpty else { return refusal }
    guard content.count > 0 else { return [.message(ListMessage.nothingToDelete)] }
    question = DeletionQuestion(content)
    return []
  }

  private mutating func answer(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let selection = question?.selection, let answer = question?.answer(key) else { return [] }
    question = nil
    return answer == .delete ? ifChangeable(environment, .perform(.deleteAll(selection))) : []
  }

  /// Returns an action that concerns the selected item, which remains selected.
  private mutating func choose(_ action: ScreenAction) -> [ScreenAction] {
    hasChosen = true
    return [action]
  }

  /// Returns actions if the user can change items.
  private func unlessReadOnly(_ environment: ScreenEnvironment, _ actions: [ScreenAction]) -> [ScreenAction] {
    environment.isReadOnly ? [.message(ListMessage.readOnly)] : actions
  }

  private func unlessReadOnly(_ environment: ScreenEnvironment, _ action: ScreenAction) -> [ScreenAction] {
    unlessReadOnly(environment, [action])
  }

  /// Returns actions if the user can change items now.
  private func ifChangeable(_ environment: ScreenEnvironment, _ actions: [ScreenAction]) -> [ScreenAction] {
    unlessReadOnly(environment, environment.connection.isUsable ? actions : [.message(ListMessage.notConnected)])
  }

  private func ifChangeable(_ environment: ScreenEnvironment, _ action: ScreenAction) -> [ScreenAction] {
    ifChangeable(environment, [action])
  }

  private var orderAfterCurrent: RowOrder {
    switch sections.nextOrder {
    case .due: .title
    case .title: .created
    case .created: .updated
    case .updated: .due
    case .distance: previousOrder
    }
  }

  private var mapAction: ScreenAction {
    let center = selected.flatMap { $0.item.location?.coordinate == nil ? nil : $0.item.id }
    var ids = sections.locatedItems(limit: Self.mapLimit, examining: Self.mapSearchLimit)
    if let center, !ids.contains(center) { ids = [center] + ids.prefix(Self.mapLimit - 1) }
    return ids.isEmpty ? .message(ListMessage.noCoordinates) : .outcome(.wantsMap(of: ids, center: center))
  }

  /// Returns from the order by distance, or else shows all items, or else names the key that quits.
  private mutating func escape(_ environment: ScreenEnvironment) -> [ScreenAction] {
    if case .distance = sections.nextOrder { return sort(by: previousOrder) }
    guard filter.isEmpty else { return apply(ListFilter(), environment) }
    return [.message(environment.takesCommands ? ListMessage.quittingByCommand : ListMessage.quitting)]
  }
}
