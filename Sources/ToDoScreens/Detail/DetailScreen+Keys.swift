import ToDoModel
import ToDoText

extension DetailScreen {
  /// Handles a key other than those that scroll.
  ///
  /// - Parameter item: the item, or `nil` if it was deleted.
  func handle(_ key: KeyPress, _ item: ToDoItem?, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .escape, .left, .backspace, .character("q"): return [.outcome(.closed)]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .character("u"): return changing([.outcome(.wantsUndo)], environment)
    default: break
    }
    guard let item else { return [] }
    switch key {
    case .character(" "): return check(item, environment)
    case .character("e"): return changing([.outcome(.wantsToEdit(id))], environment)
    case .character("d"): return changing([.perform(.delete(id)), .outcome(.closed)], environment)
    case .character("o"): return locating(item) { [.perform(.open(url: $0.openStreetMapURL))] }
    case .character("y"): return locating(item) { [.perform(.copy($0.geoURI)), .message("copied \($0.geoURI)")] }
    case .character("m"): return locating(item) { _ in [.outcome(.wantsMap(of: [id], center: id))] }
    case .character("n"): return locating(item) { _ in [.outcome(.wantsNearby(id))] }
    default: return []
    }
  }

  private func check(_ item: ToDoItem, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !item.isDone else {
      return changing([.message("the item is done; press u to undo, or uncheck it in the list")], environment)
    }
    return changing([.perform(.check(id))], environment)
  }

  /// Returns the actions of a key that changes the list, or a message if no change is possible.
  private func changing(_ actions: [ScreenAction], _ environment: ScreenEnvironment) -> [ScreenAction] {
    if environment.isReadOnly { return [.message("this view is read-only; change items with 'todo ui'")] }
    guard environment.connection.isUsable else {
      return [.message("not connected; nothing was changed")]
    }
    return actions
  }

  /// Returns the actions of a key that uses the coordinate, or a message if the item has none.
  private func locating(_ item: ToDoItem, _ actions: (Coordinate) -> [ScreenAction]) -> [ScreenAction] {
    item.location?.coordinate.map(actions) ?? [.message("the item has no coordinate; edit it to set an address")]
  }
}

// MARK: - Drawing

extension DetailScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    guard let item = content[id] else {
      let notice = content.isLoaded ? "The item was deleted." : "Waiting for the list"
      let undo = canChange(environment) && content.isLoaded ? [KeyHint("u", "undo")] : []
      return ScreenDrawing(
        lines: Array([notice.truncated(toWidth: environment.columns)].prefix(environment.bodyRows)),
        hints: [KeyHint("Esc", "back")] + undo)
    }
    let (lines, height) = (lines(of: item, environment), environment.bodyRows)
    return ScreenDrawing(
      lines: scroll.visibleLines(of: lines, height: height), hints: hints(item, environment),
      status: scroll.status(lineCount: lines.count, height: height))
  }

  private func hints(_ item: ToDoItem, _ environment: ScreenEnvironment) -> [KeyHint] {
    let canChange = canChange(environment)
    let check = canChange && !item.isDone ? [KeyHint("Space", "check")] : []
    let change = canChange ? [KeyHint("e", "edit"), KeyHint("d", "delete")] : []
    let undo = canChange ? [KeyHint("u", "undo")] : []
    let place =
      item.location?.coordinate == nil
      ? [] : [KeyHint("m", "map"), KeyHint("n", "near"), KeyHint("o", "web map"), KeyHint("y", "copy geo:")]
    return check + change + [KeyHint("Esc", "back"), KeyHint("?", "keys")] + undo + place
  }

  private func canChange(_ environment: ScreenEnvironment) -> Bool {
    !environment.isReadOnly && environment.connection.isUsable
  }
}
