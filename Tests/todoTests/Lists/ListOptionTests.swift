import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// The option `--list` among the arguments of a command.
@Suite(.unitTimeLimited) struct ListOptionTests {
  @Test(arguments: [
    ("add Milk --list work", "add Milk", "work"), ("--list work add Milk", "add Milk", "work"),
    ("add --list=work Milk", "add Milk", "work"), ("add -L work Milk", "add Milk", "work"),
    ("add -L=work Milk", "add Milk", "work"), ("add Milk", "add Milk", nil),
    // After `--`, all words belong to the title.
    ("add -- Milk --list work", "add -- Milk --list work", nil),
    ("add -L work -- Milk -L", "add -- Milk -L", "work"),
    // The value of another option.
    ("edit 1 --title --list --note a", "edit 1 --title --list --note a", nil),
    ("edit 1 --title -L -L work", "edit 1 --title -L", "work"),
  ])
  func option_isTakenOutOfArguments(_ line: String, _ rest: String, _ list: String?) throws {
    let words = line.split(separator: " ").map(String.init)
    let taken = try ListOption.taking(from: words, optionsWithValue: OptionNames.withValue)
    #expect(taken.arguments.joined(separator: " ") == rest)
    #expect(taken.list == list)
  }

  @Test(arguments: [
    ("list --list", "'--list' needs the name of a list"), ("list -L", "'-L' needs the name of a list"),
    ("list --list=", "'--list' needs the name of a list"), ("add -L -- Milk", "'-L' needs the name of a list"),
    ("list -L a --list b", "'--list' is given twice; name one list"),
  ])
  func option_whenInvalid_isRejected(_ line: String, _ message: String) async {
    let run = await TestBench().run(line)
    #expect(run.status == .usage)
    #expect(run.error == "Error: \(message)\n")
    #expect(await TestBench().run("--json " + line).error.contains("\"\(message)\""))
  }
}
