import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// Compares the window with each screen on top with golden files, in 16 colors and without colors.
@Suite struct ScreenGoldenTests {
  enum Top: String, CaseIterable {
    case list, detail, form, line, choice, map, help, search, lists, naming, work, invited, leaving, members, inviting,
      sidebar

    /// The keys that open the screen from the list.
    var keys: [KeyPress] {
      switch self {
      case .list, .sidebar: []
      case .detail: [.character("4"), .enter]
      case .form: [.character("4"), .character("e"), .tab]
      case .line: "aDinner tomorrow 19:00 @Büro".map(KeyPress.character)
      case .choice: "aMeeting thursday 28 november".map(KeyPress.character) + [.enter]
      case .map: [.character("m")]
      case .help: [.character("?")]
      case .search: [.character("/"), .character("t"), .character("h")]
      case .lists, .naming, .work, .invited, .leaving, .members, .inviting: [.character("L")]
      }
    }

    /// The keys after the lists were read.
    var keysAmongLists: [KeyPress] {
      switch self {
      case .naming: "nHome".map(KeyPress.character)
      case .work: [.down, .enter]
      case .invited: [.end]
      case .leaving: [.down, .down, .character("x")]
      case .members: [.down, .character("s"), .down]
      case .sidebar: [.backTab, .down, .down]
      case .inviting: [.down] + "sadan".map(KeyPress.character) + [.tab]
      default: []
      }
    }

    var isShared: Bool { [.invited, .leaving, .members, .inviting, .sidebar].contains(self) }
  }

  struct Case: CustomTestStringConvertible {
    let top: Top
    let rows: Int
    let columns: Int

    var testDescription: String { "\(top.rawValue)-\(columns)x\(rows)" }
  }

  static let cases: [Case] =
    [(12, 40), (24, 80), (60, 200)].flatMap { rows, columns in
      Top.allCases.filter { $0 != .sidebar }.map { Case(top: $0, rows: rows, columns: columns) }
    } + [140, 200].map { Case(top: .sidebar, rows: 24, columns: $0) }

  @Test(arguments: cases) func window_isAsRecorded(_ window: Case) throws {
    var bench = CoordinatorBench(Self.items, rows: window.rows, columns: window.columns)
    bench.environment.labels = FakePlaceLabels()
    bench.environment.world = try MapData.world()
    for key in window.top.keys { bench.press(key) }
    if window.top.isShared { bench.environment.connection = .connected }
    let lists = window.top.isShared ? Self.sharedLists : Self.lists
    bench.send(.result(.listsRead(.success(ListSet(version: 1, lists: lists)))))
    if window.top.isShared { bench.send(.result(.invitationsRead(.success(Self.invitations)))) }
    if window.top == .sidebar { bench.send(.result(.itemsCounted(Self.counts))) }
    for key in window.top.keysAmongLists { bench.press(key) }
    if window.top == .work { bench.load(Self.items) }
    while bench.coordinator.list.sections.hasWork { bench.send(.timer(.search)) }
    let texts = [ColorDepth.sixteen, .none].map { bench.shown(theme: ScreenTheme(depth: $0)).styledText }
    try GoldenFile("screen-\(window.testDescription).txt").expect(texts.joined(separator: "\n\n"))
  }

  private static let lists = [
    UserList.inbox, UserList(id: Sample.list(1), name: "Work", color: .blue),
    UserList(id: Sample.list(2), name: "買い物", color: .orange), UserList(id: Sample.list(3), name: "Someday"),
  ]

  private static let counts: [ListID: ListCounts] = [
    Sample.list(1): ListCounts(toDo: 12, overdue: 3, waiting: 2),
    Sample.list(2): ListCounts(toDo: 100, isPartial: true),
    Sample.list(3): ListCounts(toDo: 0),
  ]

  private static let sharedLists: [UserList] = {
    var shared = lists
    shared[1].members = [
      ListMember(user: "bob", role: .editor), ListMember(user: "cat", role: .viewer, isInvited: true),
    ]
    (shared[2].role, shared[2].ownerUser, shared[2].members) = (.viewer, "ann", [ListMember(user: "me", role: .viewer)])
    return shared
  }()

  private static let invitations: [UserList] = {
    var invitation = UserList(id: Sample.list(4), name: "Garden party", color: .green)
    (invitation.role, invitation.ownerUser, invitation.isInvitation) = (.editor, "dan", true)
    return [invitation]
  }()

  private static let items: [ToDoItem] = {
    var items = [
      ToDoItem.listed(1, "Pay the rent", due: .date(date(28))),
      .listed(2, "Buy oat milk", note: "Two liters", due: .date(date(30))),
      .listed(3, "牛乳を買う", due: .date(date(30)), at: (35.68, 139.69)),
      .listed(4, "Visit the pinakothek", note: "Closed on Mondays", due: .date(date(30)), at: (48.15, 11.57)),
      .listed(5, "לשלם את שכר הדירה", at: (48.37, 10.9)),
      .listed(6, "Return the books", done: true), .listed(7, "Call Ann 👩‍🚀", done: true),
    ]
    items[3].content.location?.name = "Alte Pinakothek"
    items[3].content.location?.address = "Barer Str. 27, München"
    items[4].content.location?.name = "Büro"
    return items
  }()

  private static func date(_ day: Int) -> CalendarDate { CalendarDate(year: 2026, month: 4, day: day) ?? .epoch }
}
