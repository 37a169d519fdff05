package import ToDoRPC

extension ServerLimits {
  /// The default limits, except that no time expires on a slow machine.
  package static var patient: ServerLimits {
    var limits = ServerLimits()
    let time = Duration.seconds(10 * 60)
    limits.defaultDeadline = time
    limits.maximumDeadline = time
    limits.loginTime = time
    limits.firstFrameTime = time
    limits.frameTime = time
    limits.writeStallTime = time
    limits.closingTime = time
    return limits
  }
}
