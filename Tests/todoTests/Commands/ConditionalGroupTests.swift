import ArgumentParser
import Testing

@testable import todo

/// The groups of options that commands declare only if the arguments contain one of them.
@Suite struct ConditionalGroupTests {
  @Test func groups_ofEveryCommand_haveNamesOfGroups() {
    var count = 0
    for command in ToDo.configuration.subcommands {
      for child in Mirror(reflecting: command.init()).children {
        guard type(of: child.value) is any ConditionalGroup.Type else { continue }
        #expect(ConditionalGroups.areNamed(child.label ?? ""), "\(command) has \(child.label ?? "")")
        count += 1
      }
    }
    #expect(count > ToDo.configuration.subcommands.count)
  }
}
