import ToDoModel
import ToDoRPC
import ToDoText

/// Finds the items that references mean.
struct ItemResolver {
  private let session: Session
  private let service: any ToDoService
  private let preferred: ItemState
  private let deleted: DeletedItems
  private let matchesParts: Bool
  private let choosesSeveral: Bool
  private var listing: [ToDoItem]?

  /// - Parameters:
  ///   - preferred: the state of the items that title words mean, unless only others have these words.
  ///   - deleted: whether references mean deleted items.
  ///   - words: whether a reference matches parts of words, too.
  ///   - choosesSeveral: whether the user may choose several of the items that match.
  init(
    _ session: Session, _ service: any ToDoService, preferring preferred: ItemState = .toDo,
    deleted: DeletedItems = .excluded, words: WordOptions? = nil, choosingSeveral choosesSeveral: Bool = false
  ) {
    self.session = session
    self.service = service
    self.preferred = preferred
    self.deleted = deleted
    matchesParts = words?.contains == true
    self.choosesSeveral = choosesSeveral
  }

  /// Returns the item that all arguments of a command mean.
  ///
  /// - Throws: as `items(_:)`, and `Failure` with the status `usage` if the arguments mean several items.
  mutating func item(_ arguments: [UserText]) async throws -> ToDoItem {
    let references = try ItemReference.parse(arguments)
    guard let reference = references.first, references.count == 1, reference.isSingle else {
      throw Failure.usage("specify one item")
    }
    return try await items(reference)[0]
  }

  /// Returns the items that a reference means, at least one. If several match words or a prefix, prompts for a choice.
  ///
  /// - Throws: `Failure` with the status `usage` if several match and the session cannot prompt, or `notFound` if none
  ///   matches; `ExitStatus.failure` if the user chooses none; any error of the service.
  mutating func items(_ reference: ItemReference) async throws -> [ToDoItem] {
    switch reference {
    case .numbers(let range):
      guard range.upperBound > 0 else { throw Failure.unknownNumber(range, deleted) }
      let items = try await service.items(numbered: range, deleted)
      guard !items.isEmpty else { throw await unknownNumber(range) }
      return items
    case .id(let prefix, let text):
      let matches = try await items(prefix)
      guard matches.isEmpty else { return try choose(matches, text) }
      // A word such as "4b" consists of hexadecimal digits.
      guard text.contains(where: \.isLetter), !text.contains("-") else {
        throw await unknownID(prefix, text)
      }
      return try await items(titled: [text])
    case .title(let words): return try await items(titled: words)
    }
  }

  /// Returns the items whose ID begins with a prefix. Does not read the list for a complete ID.
  mutating func items(_ prefix: IDPrefix) async throws -> [ToDoItem] {
    if let id = prefix.wholeID, deleted == .excluded { return [try await service.item(id)] }
    return try await allItems().filter { prefix.matches($0.id) }
  }

  /// Returns the items whose title is a text, or else has its words. An exact title wins even if the command can't change
  /// that item.
  private mutating func items(titled words: [String]) async throws -> [ToDoItem] {
    let text = words.joined(separator: " ")
    let reference = TitleWords(text)
    // Finds a title as it is spelled without reading the whole list.
    let spelled = try await service.items(ItemQuery(text: TitleWords.longest(in: text)), deleted)
      .filter { TitleWords($0.title).words == reference.words }
    if !spelled.isEmpty { return try choose(narrowed(spelled, text), text) }
    let matches = try await everyItem().filter { TitleWords($0.title).hasWords(of: reference) }
    let exact = matches.filter { TitleWords($0.title).words == reference.words }
    let possible = (exact.isEmpty ? matches : exact).filter(deleted.includes)
    if possible.isEmpty, let item = exact.first {
      throw Failure.named(item, besides: matches.filter(deleted.includes))
    }
    if possible.isEmpty || matchesParts && exact.isEmpty { return try await items(withPartsOf: reference, text, words) }
    return try choose(narrowed(possible, text), text)
  }

  /// Returns the items whose title has parts that are the words. Without `matchesParts`, prompts even for a single one.
  private mutating func items(
    withPartsOf reference: TitleWords, _ text: String, _ words: [String]
  ) async throws -> [ToDoItem] {
    let matches = try await allItems().filter { TitleWords($0.title).hasParts(of: reference) }
    guard !matches.isEmpty else {
      throw Failure.unknownTitle(text, NearMisses(of: words, in: try await allItems()).items, deleted)
    }
    if matchesParts { return try choose(narrowed(matches, text), text) }
    return try prompt(.partOfTitle(text, matches), matches)
  }

  /// Returns the matches in the preferred state, and of these the ones whose title is the text, if there are any.
  private func narrowed(_ matches: [ToDoItem], _ text: String) -> [ToDoItem] {
    var matches = matches
    for isPreferred in [preferred.includes, { $0.hasTitle(text) }] as [(ToDoItem) -> Bool] {
      let narrowed = matches.filter(isPreferred)
      if !narrowed.isEmpty { matches = narrowed }
    }
    return matches
  }

  /// Returns the only match, or prompts for a choice of several.
  func choose(_ matches: [ToDoItem], _ text: String) throws -> [ToDoItem] {
    matches.count == 1 ? matches : try prompt(.ambiguousReference(text, matches), matches)
  }

  /// Prompts for a choice of the matches.
  ///
  /// - Throws: the failure if the session cannot prompt.
  private func prompt(_ failure: Failure, _ matches: [ToDoItem]) throws -> [ToDoItem] {
    guard session.canPrompt else { throw failure }
    return try session.choose(
      failure, from: failure.candidates.map { ($0.shortReference, $0) },
      allowingSeveral: choosesSeveral && matches.count > 1)
  }

  /// Returns the items that references can mean.
  private mutating func allItems() async throws -> [ToDoItem] { try await everyItem().filter(deleted.includes) }

  /// Returns all items, deleted or not.
  private mutating func everyItem() async throws -> [ToDoItem] {
    if let listing { return listing }
    let items = try await service.items(ItemQuery(), .included)
    listing = items
    return items
  }

  /// Returns the failure for numbers that no item has. States whether the item was deleted, or is not deleted.
  private func unknownNumber(_ range: ClosedRange<Int64>) async -> Failure {
    let failure = Failure.unknownNumber(range, deleted)
    guard range.count == 1, let other = deleted.opposite else { return failure }
    // The other failure describes the reference well enough if this read fails.
    guard let item = try? await service.items(numbered: range, other).first else { return failure }
    return other == .only ? .deleted(item) : .notDeleted(item)
  }

  /// Returns the failure for a prefix that no ID has. States whether the item is not deleted.
  private func unknownID(_ prefix: IDPrefix, _ text: String) async -> Failure {
    if deleted == .only, let items = try? await service.items(ItemQuery(), .excluded) {
      let matches = items.filter { prefix.matches($0.id) }
      if matches.count == 1 { return .notDeleted(matches[0]) }
    }
    return .unknownID(text, deleted)
  }
}

extension ToDoService {
  /// Returns the items with the numbers of a range, in their order.
  fileprivate func items(
    numbered range: ClosedRange<Int64>, _ deleted: DeletedItems
  ) async throws -> [ToDoItem] {
    // A server of an earlier version ignores the filter.
    try await items(ItemQuery(numbers: range.map { ItemNumber($0) }), deleted)
      .filter { range.contains($0.number.value) }.sorted { $0.number < $1.number }
  }

  /// Returns all items of a query, with deleted items or without.
  fileprivate func items(_ query: ItemQuery, _ deleted: DeletedItems) async throws -> [ToDoItem] {
    var query = query
    query.deleted = deleted
    // A server of an earlier version has no deleted items, and can ignore the filter.
    return try await allItems(query).items.filter(deleted.includes)
  }
}

extension DeletedItems {
  fileprivate func includes(_ item: ToDoItem) -> Bool {
    switch self {
    case .excluded: item.deletion == nil
    case .included: true
    case .only: item.deletion != nil
    }
  }

  /// The items that this filter excludes, or `nil` if it excludes none.
  fileprivate var opposite: DeletedItems? {
    switch self {
    case .excluded: .only
    case .included: nil
    case .only: .excluded
    }
  }
}

extension ToDoItem {
  /// Whether a text is the title, ignoring case.
  fileprivate func hasTitle(_ text: String) -> Bool { title.lowercased() == text.lowercased() }
}
