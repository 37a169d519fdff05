import Testing
import ToDoModel

@testable import ToDoText

@Suite struct ListAccentTests {
  @Test func accent_ofListWithColor_isTheColor() {
    #expect(UserList(id: ListID(), name: "Work", color: .gray).accent == .gray)
  }

  @Test func accent_ofListWithoutColor_followsFromTheLastDigitOfTheID() throws {
    #expect(UserList(id: .default, name: "Inbox").accent == .blue)
    let digits = "0123456789abcdef".map { digit -> ListColor? in
      ListID("01900000-0000-7000-8000-00000000000\(digit)").map { UserList(id: $0, name: "Work").accent }
    }
    let colors: [ListColor] = [.blue, .green, .orange, .purple, .teal, .pink, .yellow, .red]
    #expect(digits == colors + colors)
  }
}
