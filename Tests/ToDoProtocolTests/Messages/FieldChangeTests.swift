import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoProtocol

/// The fields of a change in a page of the history.
@Suite struct FieldChangeTests {
  private static let codec = ToDoMethods.listRevisions.response

  /// Returns a page with one change that has these messages as `fields`.
  private static func page(_ fields: [ProtobufBytes]) -> ProtobufBytes {
    let change = fields.reduce(ProtobufBytes().field(1, WireItem.idText).field(3, "Milk").field(5, 2)) {
      $0.field(6, $1)
    }
    let record = ProtobufBytes().field(1, 5).field(2, WireResponse.time).field(7, change).field(8, 1)
    return ProtobufBytes().field(1, record)
  }

  private static func decode(_ fields: ProtobufBytes...) throws -> [FieldChange]? {
    try codec.decode(page(fields)).revisions.first?.changes.first?.fields
  }

  private static func change(_ name: String, to value: ProtobufBytes) -> ProtobufBytes {
    ProtobufBytes().field(1, name).field(3, value)
  }

  private static let values: [(FieldChange.Field, [FieldChange.Value])] =
    [
      (.title, Samples.texts.map(FieldChange.Value.text)), (.itemDescription, [.text("")]),
      (.placeName, [.text(String(repeating: "n", count: FieldChange.textLimit))]), (.address, [.text("Markt 1")]),
      (.due, Samples.times.map { .due(.time($0)) } + Samples.dates.map { .due(.date($0)) }),
      (.tags, [.text("a b")]), (.priority, [.text("high")]),
      (.steps, [.text("1/2: [x] a")]), (.waitUntil, Samples.times.map { .due(.time($0)) }),
      (.repetition, [.text("P3D")]), (.reminders, [.text("PT1H")]),
      (.coordinate, Samples.coordinates.map(FieldChange.Value.coordinate)), (.done, [.done(true), .done(false)]),
    ]

  @Test(arguments: values)
  func fields_whenEncodedAndDecoded_areEqual(_ field: FieldChange.Field, _ values: [FieldChange.Value]) throws {
    var page = try Self.codec.decode(Self.page([]))
    page.revisions[0].changes[0].fields = values.flatMap { value in
      [FieldChange(field, from: nil, to: value), FieldChange(field, from: value, to: nil)]
    }
    #expect(try Self.codec.decode(Self.codec.bytes(page)) == page)
  }

  @Test func field_ofLaterVersion_isSkipped() throws {
    let text = ProtobufBytes().field(1, "Bread")
    let later = ProtobufBytes().field(9, "later")
    let known = Self.change("title", to: text).field(14, "later")
    #expect(
      try Self.decode(Self.change("color", to: later), known) == [FieldChange(.title, from: nil, to: .text("Bread"))]
    )
  }

  @Test(arguments: [
    ("title", ProtobufBytes().field(1, [0xFF] as [UInt8])),
    ("title", ProtobufBytes().field(1, String(repeating: "x", count: FieldChange.textLimit + 1))),
    ("title", ProtobufBytes().field(5, 1)), ("title", ProtobufBytes()), ("due", ProtobufBytes().field(1, "soon")),
    ("due", ProtobufBytes().field(2, ProtobufBytes().field(2, 1_000_000_000))),
    ("due", ProtobufBytes().field(3, ProtobufBytes().field(1, 2026).field(2, 13).field(3, 1))),
    ("wait_time", ProtobufBytes().field(3, ProtobufBytes().field(1, 2026).field(2, 1).field(3, 1))),
    ("steps", ProtobufBytes().field(5, 1)),
    ("location.coordinate", ProtobufBytes().field(4, ProtobufBytes().double(1, 91))),
    ("done", ProtobufBytes().field(9, "later")), ("done\u{1B}", ProtobufBytes().field(5, 1)),
  ])
  func value_whenInvalid_isRejected(_ field: String, _ value: ProtobufBytes) {
    #expect(throws: (any Error).self) { try Self.decode(Self.change(field, to: value)) }
  }

  @Test func fields_whenTooMany_areRejected() throws {
    let field = Self.change("done", to: ProtobufBytes().field(5, 1))
    let fields = [ProtobufBytes](repeating: field, count: ResponseLimits.changedFields + 1)
    #expect(throws: (any Error).self) { try Self.codec.decode(Self.page(fields)) }
  }
}
