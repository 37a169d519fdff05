import ProgramSupport
import RPC
import ToDoModel
import ToDoRules

/// Finds the items that references mean.
struct ItemResolver {
  private let session: Session
  private let service: any ToDoService
  private let preferred: ItemState
  private var listing: [ToDoItem]?

  /// - Parameter preferred: the state of the items that words of a title mean, unless only others have these words.
  init(_ session: Session, _ service: any ToDoService, preferring preferred: ItemState = .toDo) {
    self.session = session
    self.service = service
    self.preferred = preferred
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

  /// Returns the items that a reference means, at least one. If several match words or a prefix, prompts for one of them.
  ///
  /// - Throws: `Failure` with the status `usage` if several match and the session cannot prompt, or `notFound` if none
  ///   matches; `ExitStatus.failure` if the user chooses none; any error of the service.
  mutating func items(_ reference: ItemReference) async throws -> [ToDoItem] {
    switch reference {
    case .numbers(let range):
      let items = try await service.items(numbered: range)
      guard !items.isEmpty else { throw Failure.unknownNumber(range) }
      return items
    case .id(let prefix, let text):
      let matches = try await items(prefix)
      guard matches.isEmpty else { return [try choose(matches, text)] }
      // A word such as "4b" consists of hexadecimal digits.
      guard text.contains(where: \.isLetter), !text.contains("-") else { throw Failure.unknownID(text) }
      return [try await item(titled: [text])]
    case .title(let words): return [try await item(titled: words)]
    }
  }

  /// Returns the items whose ID begins with a prefix. Does not read the list for a complete ID.
  mutating func items(_ prefix: IDPrefix) async throws -> [ToDoItem] {
    if let id = prefix.wholeID { return [try await service.item(id)] }
    return try await allItems().filter { prefix.matches($0.id) }
  }

  private mutating func item(titled words: [String]) async throws -> ToDoItem {
    let selective = words.max { $0.utf8.count < $1.utf8.count } ?? ""
    let filters = words.map { TextFilter($0) }
    var matches = try await service.allItems(ItemQuery(text: selective)).items.filter { item in
      filters.allSatisfy { $0.matches(title: item.title) }
    }
    let text = words.joined(separator: " ")
    guard !matches.isEmpty else {
      throw Failure.unknownTitle(text, NearMisses(of: words, in: try await allItems()).items)
    }
    for isPreferred in [preferred.includes, { $0.hasTitle(text) }] as [(ToDoItem) -> Bool] {
      let narrowed = matches.filter(isPreferred)
      if !narrowed.isEmpty { matches = narrowed }
    }
    return try choose(matches, text)
  }

  /// Returns the only match, or prompts for one of several.
  func choose(_ matches: [ToDoItem], _ text: String) throws -> ToDoItem {
    guard matches.count > 1 else { return matches[0] }
    let failure = Failure.ambiguousReference(text, matches)
    guard session.canPrompt else { throw failure }
    let lines = ["\(failure.message):"] + failure.details.map { "  " + $0 } + ["Which number? (Enter for none) "]
    session.context.terminal.error(lines.joined(separator: "\n"))
    let answer = session.context.terminal.readLine()?.filter { !$0.isWhitespace && $0 != "#" } ?? ""
    guard !answer.isEmpty else {
      session.printNotice("Nothing was chosen.")
      throw ExitStatus.failure
    }
    guard let item = matches.first(where: { $0.shortReference == answer }) else {
      throw Failure.usage("'\(answer.escapingControls())' is not one of the numbers")
    }
    return item
  }

  private mutating func allItems() async throws -> [ToDoItem] {
    if let listing { return listing }
    let items = try await service.allItems().items
    listing = items
    return items
  }
}

extension TextFilter {
  fileprivate func matches(title: String) -> Bool { matches(ItemContent(title: title)) }
}

extension ToDoService {
  /// Returns the items with the numbers of a range, in their order.
  fileprivate func items(numbered range: ClosedRange<Int64>) async throws -> [ToDoItem] {
    // A server of an earlier version ignores the filter.
    try await allItems(ItemQuery(numbers: range.map { ItemNumber($0) })).items
      .filter { range.contains($0.number.value) }.sorted { $0.number < $1.number }
  }
}

extension ToDoItem {
  /// Whether a text is the title, ignoring case.
  fileprivate func hasTitle(_ text: String) -> Bool {
    TextFilter(text).matches(title: title) && TextFilter(title).matches(title: text)
  }

  /// The text by which people refer to the item: its number, or a part of its ID if the server does not number items.
  var shortReference: String { number == .unknown ? id.likelyUniquePrefix : number.description }
}

extension Failure {
  private static func unknown(_ message: String, details: [String] = []) -> Failure {
    Failure(code: .notFound, reason: "ITEM_NOT_FOUND", message: message, details: details)
  }

  /// No item has one of the numbers.
  fileprivate static func unknownNumber(_ range: ClosedRange<Int64>) -> Failure {
    let numbers =
      range.count > 1 ? "a number from \(range.lowerBound) to \(range.upperBound)" : "the number \(range.lowerBound)"
    return unknown("no item has \(numbers); 'todo list' prints the numbers")
  }

  /// No ID begins with the prefix.
  fileprivate static func unknownID(_ text: String) -> Failure {
    unknown("no item has an ID that begins with '\(text)'; 'todo list -q' prints the IDs")
  }

  /// No title contains the words.
  fileprivate static func unknownTitle(_ text: String, _ near: [ToDoItem]) -> Failure {
    unknown(
      "no item has '\(text.escapingControls())' in its title",
      details: near.isEmpty ? [] : ["Did you mean:"] + lines(near).map { "  " + $0 })
  }

  /// Several items match.
  fileprivate static func ambiguousReference(_ text: String, _ matches: [ToDoItem]) -> Failure {
    let more = matches.count > candidateLimit ? ["and \(matches.count - candidateLimit) more"] : []
    let matches = matches.sorted { $0.number < $1.number }
    var failure = usage(
      "'\(text.escapingControls())' matches \(matches.count) items", reason: "AMBIGUOUS_ITEM",
      details: lines(matches.prefix(candidateLimit)) + more)
    failure.candidates = matches
    return failure
  }

  private static func lines(_ items: some Collection<ToDoItem>) -> [String] {
    let width = items.map(\.shortReference.count).max() ?? 0
    return items.map { item in
      let number = item.shortReference
      return String(repeating: " ", count: width - number.count) + number + "  " + item.title.escapingControls()
    }
  }

  private static let candidateLimit = 10
}
