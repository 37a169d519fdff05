import ToDoModel

/// The program names itself with a mark that each run chooses anew, such as `#3f2a9100` in `todo/0.1.0 #3f2a9100 laptop`.
/// `todo undo` undoes the changes of one run together.
extension ChangeOrigin {
  /// Returns the client name of a run of this program.
  static func clientName(run: UInt32, host: String) -> String {
    let digits = String(run, radix: 16)
    let mark = "#" + String(repeating: "0", count: markLength - 1 - digits.count) + digits
    return ["todo/\(ServiceInfo.currentVersion)", mark, host].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The mark of the run, or `nil` if the client names none.
  var run: String? { client.split(separator: " ").first(where: Self.isMark).map(String.init) }

  /// The client without the mark of the run.
  var clientText: String {
    client.split(separator: " ", omittingEmptySubsequences: false).filter { !Self.isMark($0) }.joined(separator: " ")
  }

  private static let markLength = 9

  private static func isMark(_ word: Substring) -> Bool {
    word.utf8.count == markLength && word.first == "#" && word.dropFirst().allSatisfy(\.isHexDigit)
  }
}
