import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo doctor`
struct DoctorCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Show the settings in force, and check that everything works.",
    usage: "todo doctor [<options>]",
    discussion: """
      Shows where each setting comes from. Then checks the database, or the connection to the server: its address, \
      certificate, credentials, version and clock. Says what to do for each problem. Fails if a check fails.
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (context, options) = (session.context, session.options)
    let selection = try session.selection()
    let list = try session.listSelection(of: selection)
    var doctor = Doctor(context, selection, list: list)
    let diagnosis = Diagnosis(
      settings: Diagnosis.Setting.inForce(for: selection, list, options, context.environment),
      checks: await doctor.examine())
    if options.json {
      try session.print(diagnosis.json(version: ServiceInfo.currentVersion).indentedText)
    } else if !options.quiet {
      try session.printLines(diagnosis.lines(version: ServiceInfo.currentVersion))
    }
    if diagnosis.hasFailed { throw ExitStatus.failure }
  }
}
