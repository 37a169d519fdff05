import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// The time is Wednesday, 29 April 2026, 10:15:42.
@Suite(.unitTimeLimited) struct SnoozeCommandTests {
  let bench = TestBench()

  private func fill() async {
    for line in ["Rent --due yesterday", "Call --due 'yesterday 18:00'", "Milk --due 'fri 9:00'", "Bread"] {
      await bench.run("add \(line)")
    }
  }

  @Test(arguments: [
    ("1 2d", "1: Rent · Fri 1 May"), ("2 2d", "2: Call · Fri 1 May, 18:00"),
    ("3 2d", "3: Milk · Sun 3 May, 09:00"), ("3 in 3d", "3: Milk · Sat 2 May, 09:00"),
    ("3 2h", "3: Milk · Fri 1 May, 11:00"), ("4 +1w", "4: Bread · Wed 6 May"),
    ("rent next mon", "1: Rent · Mon 4 May"), ("4 28 nov", "4: Bread · Sat 28 Nov"),
    ("4 3 days", "4: Bread · Sat 2 May"), ("3 'sat 12:00'", "3: Milk · Sat 2 May, 12:00"),
  ])
  func snooze_postponesItem(_ arguments: String, _ text: String) async {
    await fill()
    #expect(
      await bench.run("snooze \(arguments)")
        == .init(status: .success, output: "Postponed \(text)\n", error: ""))
  }

  @Test func snooze_ofSeveralItems_postponesEach() async {
    await fill()
    #expect(
      await bench.run("postpone 1-2 4 17:00").output == """
        Postponed 1: Rent · today, Wed 29 Apr, 17:00
        Postponed 2: Call · today, Wed 29 Apr, 17:00
        Postponed 4: Bread · today, Wed 29 Apr, 17:00

        """)
    #expect(await bench.run("list --due overdue -q").output == "")
  }

  @Test func overdue_postponesOverdueItems() async {
    await fill()
    await bench.run("add Early --due 'today 8:00'")
    let run = await bench.run("postpone --overdue today")
    #expect(run.status == .success)
    #expect(
      Set(run.output.split(separator: "\n")) == [
        "Postponed 1: Rent · today, Wed 29 Apr", "Postponed 2: Call · today, Wed 29 Apr, 18:00",
        "Postponed 5: Early · today, Wed 29 Apr",
      ])
    #expect(
      await bench.run("snooze --overdue 'next week'")
        == .init(status: .success, output: "", error: "No item matches.\n"))
  }

  @Test func snooze_ofDoneItem_saysSo() async {
    await fill()
    await bench.run("check 1")
    #expect(await bench.run("snooze 1 2d").error == "1 'Rent' is already done\n")
  }

  @Test(arguments: [
    "snooze", "snooze 1", "snooze 1 2", "snooze 1 2-3", "snooze 1 soon", "snooze 2d", "snooze 1 yesterday",
    "snooze --overdue", "snooze --overdue 1 2d", "snooze --overdue yesterday",
  ])
  func snooze_whenArgumentsAreInvalid_isUsageErrorWithoutChange(_ line: String) async {
    await fill()
    let before = await bench.run("list --json").output
    #expect(await bench.run(line).status == .usage)
    #expect(await bench.run("list --json").output == before)
  }

  @Test func snooze_thatChangesNothing_saysSo() async {
    await bench.run("add Parcel --due fri")
    let run = await bench.run("snooze 1 fri")
    #expect(run == .init(status: .success, output: "", error: "1 'Parcel' is as it was; nothing changed\n"))
  }
}
