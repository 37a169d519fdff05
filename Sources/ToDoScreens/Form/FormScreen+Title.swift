import ToDoModel
import ToDoText

// MARK: - The reading of the title

extension FormScreen {
  /// Reads the title again if it has changed. Otherwise its days remain relative to the time when it was typed.
  mutating func updateReading(_ environment: ScreenEnvironment) { reading = currentReading(environment) }

  /// Returns the reading of a new item's title, or `nil` if the form edits an item or the title is empty.
  func currentReading(_ environment: ScreenEnvironment) -> TitleReading? {
    guard case .newItem = target, !texts[.title].isBlank else { return nil }
    if let reading, reading.isReading(of: texts) { return reading }
    return TitleReading(texts, environment)
  }

  /// Finds the location of the title's place if the place has changed. A place beside an address is only a name.
  mutating func updatePlace(_ content: ListContent) -> [Effect] {
    let text = address.isEmpty && reading?.coordinate == nil ? reading?.place : nil
    guard text != place?.text else { return [] }
    place = text.map { TitlePlace($0, known: content.inheritedLocation(named: $0)) }
    return place?.isWaiting == true ? [.startTimer(.placeTyped, AddressSearch.pause)] : []
  }

  /// Receives the places that the title's place can mean, and saves the item if that was to follow.
  mutating func located(
    _ text: String, _ matches: [AddressMatch], _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    place?.receive(text, matches)
    guard case .locating(let options) = phase, text == place?.text else { return [] }
    phase = .editing
    return save(options, environment)
  }
}

// MARK: - The line

extension FormScreen {
  /// Handles a key while only the title is shown.
  mutating func editLine(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch key {
    case .enter, .control("s"): return save(SaveOptions(), environment)
    case .escape: return isChanged ? end(.postponed(draft)) : end(.closed)
    case .tab: return expand(environment)
    default: return typed(texts.change(.title) { $0.handle(key) })
    }
  }

  /// Shows all fields, with what was read.
  private mutating func expand(_ environment: ScreenEnvironment) -> [ScreenAction] {
    isLine = false
    moveFocus(to: .due)
    guard let reading = currentReading(environment) else { return [] }
    var form = reading.completing(texts.form(replacing: original))
    if let due = reading.due { form[.due] = due.absoluteText(in: environment.zone) }
    original[.coordinate] = form[.coordinate]
    if let location = place?.location {
      (form[.place], form[.address]) = (location.name ?? "", location.address ?? "")
      recalledPlace = location.coordinate.map {
        ChosenPlace(coordinate: $0, provenance: location.provenance, name: "")
      }
      recalledAddress = form[.address]
    } else if let place, !place.choices.isEmpty {
      // The form offers the places.
      (form[.place], form[.address]) = ("", place.text)
    }
    texts = FormTexts(form)
    let isSearched = !address.isEmpty && recalledPlace == nil
    return (isSearched ? search.restart(isNeeded: true).map(ScreenAction.perform) : []) + scheduleDraft()
  }
}
