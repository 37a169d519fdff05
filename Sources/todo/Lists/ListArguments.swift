import ToDoModel

/// A list that arguments name.
struct ListArgument: Equatable, Sendable {
  let name: String
  /// All arguments, if the name precedes items, so that they may be words of a title instead: `check TCP/4`.
  var words: [String]?
}

/// No list has the name before items, which may be words of a title.
struct UnknownListOfItems: Error {
  let failure: Failure
  let words: [String]
}

/// The list that arguments name, as the option `--list` or before an item's number.
enum ListArguments {
  /// Returns the arguments without the list, and the list; `nil` if they name none.
  ///
  /// - Parameter optionsWithValue: the names of the options whose value follows them.
  /// - Throws: `Failure` with the status `usage` if they name several lists; as `ListOption.taking` does.
  static func taking(
    from arguments: [String], optionsWithValue: @autoclosure () -> Set<String>
  ) throws(Failure) -> (arguments: [String], list: ListArgument?) {
    let (rest, option) = try ListOption.taking(from: arguments, optionsWithValue: optionsWithValue())
    let (words, named) = try ItemListArguments.taking(from: rest, optionsWithValue: optionsWithValue())
    if let option, let named, option.lowercased() != named.lowercased() {
      throw .usage(
        "'--list \(option.escapingControls())' and '\(named.escapingControls())' are different lists",
        reason: "DIFFERENT_LISTS")
    }
    if let option { return (words, ListArgument(name: option)) }
    return (words, named.map { ListArgument(name: $0, words: arguments) })
  }
}

extension Failure {
  /// Returns the failure to find words in a title, which says why they don't name a list either.
  func besides(_ list: Failure) -> Failure {
    var failure = self
    failure.message += ", and \(list.message)"
    failure.details += list.details
    return failure
  }
}
