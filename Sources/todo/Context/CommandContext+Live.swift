import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension CommandContext {
  /// Creates the context of the running process.
  static func live() -> CommandContext {
    let start = ContinuousClock.now
    return CommandContext(
      terminal: .live(),
      environment: { name in getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } },
      clock: SystemWallClock(),
      zone: SystemTimeZone(),
      uptime: { start.duration(to: .now) },
      makeID: { ItemID(time: $0) },
      connect: ServiceConnection.open,
      machine: .live,
      placeLabels: GazetteerLabels())
  }
}
