import Glibc
import ToDoGeocoders
import ToDoModel
import ToDoText

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
      openEditor: EditorProcess.run,
      fileExists: { access($0, F_OK) == 0 },
      // Starting and ending the process take the rest of 50 ms.
      completionDeadline: { try? await Task.sleep(until: start + .milliseconds(40), clock: .continuous) },
      placeLabels: GazetteerLabels(),
      gazetteer: { try? GazetteerGeocoder() },
      runProgram: ReminderProcess.run,
      openURL: BrowserProcess.open)
  }
}
