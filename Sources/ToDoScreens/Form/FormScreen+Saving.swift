import ToDoModel
import ToDoText

extension FormScreen {
  /// Saves the item, unless a field must be corrected first.
  mutating func save(_ options: SaveOptions, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !texts[.title].isBlank else { return reject("the title is empty; type a title", .title) }
    guard environment.connection.isUsable else {
      return [.message("the server is unreachable; the form keeps the text until it is back")]
    }
    updateReading(environment)
    if let actions = decide(options, environment) { return actions }
    do {
      return try saving(edit(environment), options)
    } catch let error as DueDateError {
      return reject(error.shortText, .due)
    } catch {
      return [.message("\(error)")]
    }
  }

  /// Has the user decide what the title and the address mean, if that is uncertain.
  ///
  /// - Returns: `nil` if nothing remains to decide.
  private mutating func decide(_ options: SaveOptions, _ environment: ScreenEnvironment) -> [ScreenAction]? {
    if reading?.choices.isEmpty == false {
      phase = .asking(.choosesReading(options))
    } else if place?.choices.isEmpty == false {
      phase = .asking(.choosesPlace(options))
    } else if place != nil, place?.location == nil {
      phase = .locating(options)
      return place?.locate().map(ScreenAction.perform)
    } else if isAddressLookedUp, search.isPending {
      phase = .locating(options)
      return search.pauseEnded(address, environment.connection).map(ScreenAction.perform)
    } else if isAddressLookedUp, search.guess != nil {
      phase = .asking(.acceptsGuess(options))
    } else {
      return nil
    }
    return []
  }

  private mutating func reject(_ message: String, _ field: FormField) -> [ScreenAction] {
    moveFocus(to: field)
    return [.message(message)]
  }

  private mutating func saving(_ edit: ItemEdit, _ options: SaveOptions) -> [ScreenAction] {
    guard case .item(let item, let revision) = target else {
      phase = .saving(options)
      return [.perform(.add(ItemContent(title: "").applying(edit), options))]
    }
    guard !edit.isEmpty else { return [.message("nothing has changed")] + end(.closed) }
    phase = .saving(options)
    return [.perform(.update(item.id, edit, ifRevision: revision, options))]
  }

  /// Returns the edit of the item, or of an empty one if saving adds an item.
  ///
  /// - Throws: `DueDateError`; `InvalidText`.
  private func edit(_ environment: ScreenEnvironment) throws -> ItemEdit {
    let reading = currentReading(environment)
    let typed = texts.formToSave(replacing: original)
    let form = reading?.completing(typed) ?? typed
    var edit = try form.edit(from: target.item == nil ? EditForm() : original, environment.dates)
    if let due = reading?.due { edit.due = .set(due) }
    if let location = place?.location {
      edit.location = .set(location)
      return edit
    }
    guard reading?.coordinate == nil, let place = chosenPlace else { return edit }
    return edit.setting(place.coordinate, place.provenance)
  }

  /// Handles the result of saving.
  mutating func saved(_ result: Result<ToDoItem, EffectFailure>, _ content: ListContent) -> [ScreenAction] {
    guard case .saving(var options) = phase else { return [] }
    phase = .editing
    switch result {
    case .success(let item): return end(.saved(item))
    case .failure(let failure):
      switch failure.kind {
      case .coordinateNotFound where !options.savesWithoutCoordinate:
        options.savesWithoutCoordinate = true
        phase = .asking(.savesWithoutCoordinate(options))
      case .duplicate where !options.allowsDuplicate:
        options.allowsDuplicate = true
        phase = .asking(.savesDuplicate(options))
      case .changedElsewhere:
        guard let item = target.item else { return target.isDeleted ? [] : [.message(failure.message)] }
        if content.isLoaded { follow(content[item.id]) }
        if !target.isDeleted { phase = .asking(.overwrites(options)) }
      case .coordinateNotFound, .duplicate, .unreachable, .other: return [.message(failure.message)]
      }
      return []
    }
  }
}
