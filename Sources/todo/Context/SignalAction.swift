#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process does on a signal.
struct SignalAction {
  private var action = sigaction()

  typealias Handler = @convention(c) (Int32) -> Void

  /// - Parameter handler: runs in the midst of whatever a thread is doing, so that it may use only what POSIX calls
  ///   async-signal-safe: no allocation, no locks.
  init(_ handler: @escaping Handler) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // Calls that wait go on waiting; and a thread without any stack left can run the handler.
    action.sa_flags = Int32(SA_RESTART | SA_ONSTACK)
  }

  private init(_ action: sigaction) {
    self.action = action
  }

  /// The default action: most signals end the process.
  static var standard: SignalAction { SignalAction(sigaction()) }

  /// The action that is set now.
  static func current(for signal: Int32) -> SignalAction {
    var current = sigaction()
    sigaction(signal, nil, &current)
    return SignalAction(current)
  }

  /// Whoever started the program asked that it be spared, as `nohup` does.
  var isIgnoring: Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  func set(for signal: Int32) {
    var action = action
    sigaction(signal, &action, nil)
  }
}
