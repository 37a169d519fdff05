import ToDoModel
import ToDoSupport

/// The list that the user has selected for a command.
struct ListSelection: Equatable, Sendable {
  /// The source of a selection, in order of precedence.
  enum Origin: Equatable, Sendable {
    /// The option `--list`.
    case option
    /// The variable `TODO_LIST`.
    case variable
    /// `todo use`, which stored the selection in a file.
    case used(path: String)
  }

  /// The list's name, its ID, or the beginning of its ID.
  var text: String
  var origin: Origin
}

extension ListSelection {
  /// Creates the selection that applies without the option `--list`, or returns `nil` for the default list.
  ///
  /// - Parameter service: the service that the command uses.
  /// - Throws: `PrivateFileError` if the file of `todo use` cannot be read.
  init?(environment: (String) -> String?, service: ServiceSelection) throws {
    if let text = environment("TODO_LIST") {
      self.init(text: text, origin: .variable)
    } else if let file = UsedLists(environment: environment), let id = try file.list(of: service) {
      self.init(text: id.description, origin: .used(path: file.path))
    } else {
      return nil
    }
  }
}

/// The file in which `todo use` stores the list in use of each service: a line with the ID and the service.
struct UsedLists {
  let path: String

  /// - Returns: `nil` if the state directory cannot be located.
  init?(environment: (String) -> String?) {
    guard let directory = try? StateDirectory.path(environment) else { return nil }
    path = "\(directory)/lists"
  }

  /// Returns the list in use, or `nil` for the default one.
  ///
  /// - Throws: `PrivateFileError`.
  func list(of service: ServiceSelection) throws -> ListID? {
    try entries().first { $0.service == service.key }?.list
  }

  /// Stores the list in use.
  ///
  /// - Throws: `PrivateFileError`.
  func set(_ list: ListID, of service: ServiceSelection) throws {
    var entries = try entries()
    entries.removeAll { $0.service == service.key }
    if !list.isDefault { entries.append((list, service.key)) }
    try PrivateFile.write(entries.map { "\($0.list) \($0.service)\n" }.joined(), to: path)
  }

  private func entries() throws -> [(list: ListID, service: String)] {
    guard let text = try PrivateFile.read(path, followsLinks: false) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let list = ListID(String(parts[0])) else { return nil }
      return (list, String(parts[1]))
    }
  }
}

extension ServiceSelection {
  /// The text by which files name the service.
  fileprivate var key: String {
    switch self {
    case .server(let endpoint, _): endpoint
    case .embedded(let path, _): path
    }
  }
}
