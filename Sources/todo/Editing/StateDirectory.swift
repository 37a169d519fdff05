/// The directory of files that outlive the process but are not the user's data.
enum StateDirectory {
  /// Returns the state directory of the XDG Base Directory Specification: `$XDG_STATE_HOME/todo`, or else
  /// `~/.local/state/todo`. A path that is not absolute counts as unset.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  /// - Throws: `Failure` if the directory cannot be located.
  static func path(_ environment: (String) -> String?) throws -> String {
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
    guard let directory = environment("XDG_STATE_HOME").flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? home else {
      throw Failure.usage("cannot locate the state directory: set HOME or XDG_STATE_HOME")
    }
    return "\(directory)/todo"
  }
}
