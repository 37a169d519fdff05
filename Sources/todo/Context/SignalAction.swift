import Glibc

/// The action of the process for a signal.
struct SignalAction {
  private var action = sigaction()

  /// An async-signal-safe function that receives the signal's number.
  typealias Handler = @convention(c) (Int32) -> Void

  /// Creates an action that calls a handler.
  ///
  /// - Parameter handler: interrupts a thread at an arbitrary point. It must be async-signal-safe, as defined by POSIX: it
  ///   must not allocate or acquire locks.
  init(_ handler: @escaping Handler) {
    action.__sigaction_handler.sa_handler = handler
    // Blocking calls are restarted, and the handler can run after a stack overflow.
    action.sa_flags = Int32(SA_RESTART | SA_ONSTACK)
  }

  private init(_ action: sigaction) {
    self.action = action
  }

  /// The default action, which for most signals terminates the process.
  static var standard: SignalAction { SignalAction(sigaction()) }

  /// Returns the current action for a signal.
  static func current(for signal: Int32) -> SignalAction {
    var current = sigaction()
    sigaction(signal, nil, &current)
    return SignalAction(current)
  }

  /// Whether the signal is ignored, as `nohup` arranges.
  var isIgnored: Bool {
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Installs the action for a signal.
  func set(for signal: Int32) {
    var action = action
    sigaction(signal, &action, nil)
  }
}
