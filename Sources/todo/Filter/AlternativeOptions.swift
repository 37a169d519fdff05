import ArgumentParser
import ToDoModel
import ToDoRules
import ToDoScreens
import ToDoText

/// Options that combine filters.
struct AlternativeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only items that a search for these words would not find.", valueName: "text"))
  var noText: UserText?

  /// `AlternativeArguments` takes it from the arguments.
  @Flag(
    name: .customLong("or"),
    help: "Select also the items that match the words and filters after it.")
  var isSeparator = false

  @Option(name: .customLong(AlternativeArguments.option), help: ArgumentHelp(visibility: .hidden))
  var groups: [UserText] = []

  /// Whether no option is set.
  var isEmpty: Bool { noText == nil && groups.isEmpty }

  func validate() throws {
    if isSeparator { throw ValidationError("'--or' must be between two groups of filters") }
    if let noText, TextFilter(noText.text).isEmpty {
      throw ValidationError("'--no-text' has no words")
    }
    guard groups.count < ItemFilter.Limits.alternatives else {
      throw ValidationError(
        "at most \(ItemFilter.Limits.alternatives) groups of filters can be combined")
    }
    for group in groups { _ = try FilterGroup.parse(group) }
  }

  /// Returns a filter that selects the items of a first group, and those of the groups after `--or`.
  ///
  /// - Parameters:
  ///   - text: the words of the first group.
  ///   - filters: the other filters of the first group.
  /// - Throws: the errors of `FilterOptions.filter(in:)`, `ValidationError`.
  func combined(text: String, _ filters: FilterOptions, in session: Session) throws -> ItemFilter {
    var first = try filters.filter(in: session)
    (first.text, first.excludedText) = (text, noText?.text ?? "")
    guard !groups.isEmpty else { return first }
    let others = try groups.map { try FilterGroup.parse($0).filter(in: session) }
    return ItemFilter(alternatives: [first] + others)
  }
}

extension AlternativeOptions {
  /// Checks that there is a first group if there are others.
  ///
  /// - Throws: `ValidationError`.
  func validate(after text: String, _ filters: FilterOptions) throws {
    let isFirstEmpty = TextFilter(text).isEmpty && filters.isEmpty && noText == nil
    if !groups.isEmpty && isFirstEmpty { throw ValidationError("'--or' must be between two groups of filters") }
  }

  /// Returns what `combined(text:_:in:)` returns, as the texts that the list screen shows.
  ///
  /// - Throws: `Failure`, `InvalidText`, `ValidationError`.
  func listFilter(text: String, _ filters: FilterOptions) throws -> ListFilter {
    let first = try filters.listFilter(text: text, excludedText: noText?.text ?? "")
    guard !groups.isEmpty else { return first }
    let others = try groups.map { group in
      let parsed = try FilterGroup.parse(group)
      return try parsed.filters.listFilter(text: parsed.text, excludedText: parsed.noText?.text ?? "")
    }
    return ListFilter(alternatives: [first] + others)
  }
}

extension FilterOptions {
  fileprivate func listFilter(text: String, excludedText: String) throws -> ListFilter {
    ListFilter(
      text: text, due: due?.text ?? "", place: placeText ?? "", marks: try marks.text, excludedText: excludedText)
  }
}

extension AlternativeOptions: RareOptions {
  static let names = ["--no-text", "--or", "--\(AlternativeArguments.option)"]

  static var unset: AlternativeOptions {
    var options = AlternativeOptions()
    (options.noText, options.isSeparator, options.groups) = (nil, false, [])
    return options
  }
}

/// The words and filters between two `--or`.
private struct FilterGroup: ParsableArguments {
  @Argument var words: [UserText] = []
  @Option var search: UserText?
  @Option var noText: UserText?
  @OptionGroup var filters: FilterOptions

  static func parse(_ group: UserText) throws -> FilterGroup {
    let arguments = AlternativeArguments.arguments(ofGroup: group.text)
    let parsed = try parse(UserText.marking(arguments))
    // An unset variable of a script must not select every item.
    guard !TextFilter(parsed.text).isEmpty || parsed.noText != nil || !parsed.filters.isEmpty else {
      throw ValidationError("'--or' must be between two groups of filters")
    }
    if let place = parsed.filters.placeText, TextFilter(place).isEmpty {
      throw ValidationError("'--place' has no words")
    }
    return parsed
  }

  var text: String { (words + [search].compactMap(\.self)).map(\.text).joined(separator: " ") }

  func filter(in session: Session) throws -> ItemFilter {
    var filter = try filters.filter(in: session)
    (filter.text, filter.excludedText) = (text, noText?.text ?? "")
    return filter
  }
}
