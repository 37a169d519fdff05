import ToDoModel

// MARK: - The number of an item

extension ListScreen {
  /// The time after which the typed digits are complete.
  private static let numberTime = Duration.milliseconds(1500)
  /// The maximum number of digits.
  private static let digitLimit = 18

  /// Handles a key that belongs to the number of an item.
  ///
  /// - Returns: `nil` for another key.
  mutating func handleNumber(_ key: KeyPress, _ content: ListContent) -> [ScreenAction]? {
    switch (key, typedNumber) {
    case (.character("#"), nil): typedNumber = ""
    case (.character(let digit), let digits) where digit.isASCII && digit.isNumber:
      typedNumber = String(((digits ?? "") + String(digit)).prefix(Self.digitLimit))
    case (.backspace, let digits?): typedNumber = String(digits.dropLast())
    case (.escape, .some):
      (typedNumber, isDeselected) = (nil, false)
      return [.perform(.cancelTimer(.number))]
    default: return nil
    }
    return selectTypedNumber(content) + [.perform(.startTimer(.number, Self.numberTime))]
  }

  /// Selects the item with the typed number, or nothing.
  ///
  /// - Returns: a message if no item shown has the number, nor one that begins with its digits.
  private mutating func selectTypedNumber(_ content: ListContent) -> [ScreenAction] {
    guard let number = typedNumber.flatMap({ Int64($0) }) else { return [] }
    if let index = index(of: ItemNumber(number), content) {
      moveSelection(to: index)
      return []
    }
    isDeselected = current != nil
    let isComplete = content.isLoaded && !sections.hasWork && !sections.isSorting
    return isComplete && !sections.showsNumber(beginningWith: number) ? [noItem(number)] : []
  }

  private func index(of number: ItemNumber, _ content: ListContent) -> Int? {
    guard number.value > 0, let id = sections.id(of: number), let row = content[id].map(ListedItem.init) else {
      return nil
    }
    return sections.index(of: row)
  }

  /// Ends the typing of a number.
  mutating func endNumber() -> [ScreenAction] {
    guard let digits = typedNumber else { return [] }
    typedNumber = nil
    guard isDeselected, let number = Int64(digits) else { return [] }
    return [noItem(number)]
  }

  private func noItem(_ number: Int64) -> ScreenAction {
    let isHidden = number > 0 && sections.id(of: ItemNumber(number)) != nil
    return .message(isHidden ? "item \(number) does not match the filter" : "no item \(number)")
  }
}

extension ListSections {
  /// Whether the number of a shown item begins with the digits of another number and is longer.
  fileprivate func showsNumber(beginningWith start: Int64) -> Bool {
    guard start > 0 else { return false }
    return sections.contains { section in
      section.shown.items.contains { row in
        var number = row.item.number.value / 10
        while number > start { number /= 10 }
        return number == start
      }
    }
  }
}
