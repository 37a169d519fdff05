import Dispatch
import Glibc
import Synchronization

/// A web browser as a separate process.
enum BrowserProcess {
  /// Opens a web page with the command in `BROWSER`, or with `xdg-open`.
  ///
  /// The URL is an argument of the command; no shell reads it. The command's output is discarded.
  ///
  /// - Returns: whether the browser opened the page. A command that runs for more than two seconds is the browser itself.
  static func open(_ url: String) async -> Bool {
    guard let process = try? ChildProcess([command, url], isInBackground: true) else { return false }
    return await withCheckedContinuation { continuation in
      let outcome = FirstOutcome(continuation)
      // The wait lasts as long as the browser runs, so it blocks a thread that no task needs.
      DispatchQueue(label: "todo.browser").async { outcome.resume((try? process.wait()) == 0) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { outcome.resume(true) }
    }
  }

  /// The first command of `BROWSER`, in which colons separate alternatives.
  private static var command: String {
    let commands = getenv("BROWSER").map { String(cString: $0) } ?? ""
    return commands.split(separator: ":").first.map(String.init) ?? "xdg-open"
  }
}

/// A continuation that the first of several outcomes resumes.
private final class FirstOutcome: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume(_ value: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}

extension CommandContext {
  /// Opens a web page, unless the user is at another machine or has no desktop.
  ///
  /// - Returns: whether the page was opened.
  func open(_ url: String) async -> Bool {
    let hasDesktop = environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil
    guard hasDesktop, environment("SSH_CONNECTION") == nil else { return false }
    return await openURL(url)
  }
}
