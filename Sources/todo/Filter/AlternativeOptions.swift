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

  /// `AlternativeArguments` takes it from the arguments.
  @Flag(name: .customLong("not"), help: "Leave out the items that match the word or filter after it. Can be repeated.")
  var isNegation = false

  @Option(name: .customLong(AlternativeArguments.excludingOption), help: ArgumentHelp(visibility: .hidden))
  var exclusions: [UserText] = []

  /// Whether no option is set.
  var isEmpty: Bool { noText == nil && groups.isEmpty && exclusions.isEmpty }

  func validate() throws {
    if isNegation { throw ValidationError("'--not' must be before a word or a filter") }
    if isSeparator { throw ValidationError("'--or' must be between two groups of filters") }
    if let noText, TextFilter(noText.text).isEmpty {
      throw ValidationError("'--no-text' has no words")
    }
    guard groups.count < ItemFilter.Limits.alternatives else {
      throw ValidationError(
        "at most \(ItemFilter.Limits.alternatives) groups of filters can be combined")
    }
    for group in groups { _ = try FilterGroup.parse(group) }
    _ = try FilterGroup.parse(exclusions: exclusions)
  }

  /// Returns a filter that selects a first group's items, and those of the groups after `--or`.
  ///
  /// - Parameters:
  ///   - text: the words of the first group.
  ///   - filters: the other filters of the first group.
  /// - Throws: the errors of `FilterOptions.filter(in:)`, `ValidationError`.
  func combined(text: String, _ filters: FilterOptions, in session: Session) throws -> ItemFilter {
    var first = try filters.filter(in: session)
    (first.text, first.excludedText) = (text, noText?.text ?? "")
    first.exclusions = try FilterGroup.parse(exclusions: exclusions).map { try $0.filter(in: session) }
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
    let isFirstEmpty = TextFilter(text).isEmpty && filters.isEmpty && noText == nil && exclusions.isEmpty
    if !groups.isEmpty && isFirstEmpty { throw ValidationError("'--or' must be between two groups of filters") }
  }

  /// Returns the filter of `combined(text:_:in:)` as the texts that the list screen shows.
  ///
  /// - Throws: `Failure`, `InvalidText`, `ValidationError`.
  func listFilter(text: String, _ filters: FilterOptions) throws -> ListFilter {
    let first = try filters.listFilter(
      text: text, excludedText: noText?.text ?? "", try FilterGroup.parse(exclusions: exclusions))
    guard !groups.isEmpty else { return first }
    let others = try groups.map { try FilterGroup.parse($0).listFilter }
    return ListFilter(alternatives: [first] + others)
  }
}

extension FilterOptions {
  fileprivate func listFilter(
    text: String, excludedText: String, _ exclusions: [FilterGroup]
  ) throws -> ListFilter {
    ListFilter(
      text: text, due: due?.text ?? "", place: placeText ?? "", marks: try marks.text, excludedText: excludedText,
      exclusions: try exclusions.map { try $0.listFilter })
  }
}

extension AlternativeOptions: RareOptions {
  static let names =
    ["--no-text", "--or", "--\(AlternativeArguments.option)"]
    + ["--not", "--\(AlternativeArguments.excludingOption)"]

  static var unset: AlternativeOptions {
    var options = AlternativeOptions()
    (options.noText, options.isSeparator, options.groups) = (nil, false, [])
    (options.isNegation, options.exclusions) = (false, [])
    return options
  }
}

/// The words and filters between two `--or`, or the one after a `--not`.
private struct FilterGroup: ParsableArguments {
  @Argument var words: [UserText] = []
  @Option var search: UserText?
  @Option var noText: UserText?
  @Option(name: .customLong(AlternativeArguments.excludingOption)) var exclusions: [UserText] = []
  @OptionGroup var filters: FilterOptions

  static func parse(_ group: UserText) throws -> FilterGroup {
    let arguments = AlternativeArguments.arguments(ofGroup: group.text)
    return try parse(arguments, orThrow: "'--or' must be between two groups of filters")
  }

  /// Parses the filters after each `--not`.
  static func parse(exclusions: [UserText]) throws -> [FilterGroup] {
    guard exclusions.count <= ItemFilter.Limits.exclusions else {
      throw ValidationError("'--not' can be used at most \(ItemFilter.Limits.exclusions) times in a group")
    }
    return try exclusions.map { exclusion in
      let arguments = AlternativeArguments.arguments(ofExclusion: exclusion.text)
      return try parse(arguments, orThrow: "'--not' must be before a word or a filter")
    }
  }

  private static func parse(_ arguments: [String], orThrow reason: String) throws -> FilterGroup {
    let parsed = try parse(UserText.marking(arguments))
    // An unset variable of a script must not select every item.
    guard
      !TextFilter(parsed.text).isEmpty || parsed.noText != nil || !parsed.filters.isEmpty || !parsed.exclusions.isEmpty
    else { throw ValidationError(reason) }
    if let place = parsed.filters.placeText, TextFilter(place).isEmpty {
      throw ValidationError("'--place' has no words")
    }
    _ = try parse(exclusions: parsed.exclusions)
    return parsed
  }

  var text: String { (words + [search].compactMap(\.self)).map(\.text).joined(separator: " ") }

  func filter(in session: Session) throws -> ItemFilter {
    var filter = try filters.filter(in: session)
    (filter.text, filter.excludedText) = (text, noText?.text ?? "")
    filter.exclusions = try Self.parse(exclusions: exclusions).map { try $0.filter(in: session) }
    return filter
  }

  /// The group as the texts that the list screen shows.
  ///
  /// - Throws: `Failure`, `InvalidText`, `ValidationError`.
  var listFilter: ListFilter {
    get throws {
      try filters.listFilter(
        text: text, excludedText: noText?.text ?? "", try Self.parse(exclusions: exclusions))
    }
  }
}
