extension KeyHint {
  /// The command of the line interface that stands for the key, or `nil` if there is none.
  var command: String? {
    switch key {
    case "a" where action == "accept": "accept"
    case "a" where action == "invite": "invite NAME"
    case "a": "add SENTENCE"
    case "e" where action == "can edit": "edit"
    case "v": "view"
    case "d" where action == "stop sharing": "unshare"
    case "x": action
    case "/": "search TEXT"
    case "f": "due WHEN"
    case "?": "help"
    case "q": "quit"
    case "o": "web"
    case "y": "copy"
    case "Esc": "back"
    case "Tab": "next"
    case "Ctrl-S": "save"
    case "+ -": "in, out"
    case "Enter": action == "open" ? "open" : "enter"
    case "↓": "down"
    case "space", "Space", "e", "d", "u", "s", "m": action
    case "n": action == "new" ? "new NAME" : "near"
    case "r" where action == "rename": "rename NAME"
    default: nil
    }
  }
}
