import ToDoModel

/// The list that arguments name, as the option `--list` or before the number of an item.
enum ListArguments {
  /// Returns the arguments without the list, and the list; `nil` if they name none.
  ///
  /// - Parameter optionsWithValue: the names of the options whose value follows them.
  /// - Throws: `Failure` with the status `usage` if they name several lists; as `ListOption.taking` does.
  static func taking(
    from arguments: [String], optionsWithValue: @autoclosure () -> Set<String>
  ) throws(Failure) -> (arguments: [String], list: String?) {
    let (rest, option) = try ListOption.taking(from: arguments, optionsWithValue: optionsWithValue())
    let (words, named) = try ItemListArguments.taking(from: rest, optionsWithValue: optionsWithValue())
    if let option, let named, option.lowercased() != named.lowercased() {
      throw .usage(
        "'--list \(option.escapingControls())' and '\(named.escapingControls())' are different lists",
        reason: "DIFFERENT_LISTS")
    }
    return (words, option ?? named)
  }
}
