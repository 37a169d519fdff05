import ToDoProtocol
import ToDoTestSupport

/// Invalid changes, in pages and in watches.
enum HostileChanges {
  private static let fields: [(field: String, what: String, change: ProtobufBytes)] = [
    ("revision", "missing", ProtobufBytes().field(2, WireResponse.time)),
    ("revision", "negative", WireResponse.put.field(1, -1)),
    ("change_time", "missing of a put", ProtobufBytes().field(1, 5).field(3, WireResponse.item().asItem)),
    ("change_time", "missing of a deletion", ProtobufBytes().field(1, 5).field(4, WireResponse.deleted)),
    (
      "change_time", "out of range",
      ProtobufBytes().field(1, 5).field(2, WireItem.timestamp(.max, 0)).field(4, WireResponse.deleted)
    ),
    ("put.item", "missing", WireResponse.change.field(3, ProtobufBytes())),
    ("put.item.revision", "another", WireResponse.change.field(3, WireResponse.item().field(11, 6).asItem)),
    ("deleted.id", "missing", WireResponse.change.field(4, ProtobufBytes())),
    ("deleted.id", "not a UUID", WireResponse.change.field(4, ProtobufBytes().field(1, "7"))),
    ("deleted.id", "not UTF-8", WireResponse.change.field(4, ProtobufBytes().field(1, [0xFF]))),
  ]

  private static let later = ProtobufBytes().field(1, 6).field(2, WireResponse.time)

  static let all: [HostileResponse] =
    fields.flatMap { field, what, change in
      [
        HostileResponse("changes[0].\(field)", what, ToDoMethods.listChanges.response, change.asItem),
        HostileResponse("changes.changes[0].\(field)", what, ToDoMethods.watchItems.response, change.asItem.asItem),
      ]
    } + [
      HostileResponse(
        "changes", "not in order", ToDoMethods.listChanges.response,
        WireResponse.change.field(1, 6).field(4, WireResponse.deleted).asItem.field(1, WireResponse.deletion)),
      HostileResponse("changes.changes", "empty", ToDoMethods.watchItems.response, ProtobufBytes().asItem),
      HostileResponse(
        "changes.changes[1].revision", "another", ToDoMethods.watchItems.response,
        WireResponse.put.asItem.field(1, later).asItem),
      HostileResponse(
        "snapshot_end.revision", "negative", ToDoMethods.watchItems.response,
        ProtobufBytes().field(3, ProtobufBytes().field(1, -1))),
      HostileResponse(
        "progress.revision", "negative", ToDoMethods.watchItems.response,
        ProtobufBytes().field(4, ProtobufBytes().field(1, .min))),
    ]
}

/// Invalid fields of the other responses.
enum HostileAnswers {
  static let all: [HostileResponse] =
    [
      HostileResponse("revision", "missing", ToDoMethods.deleteItem.response, ProtobufBytes()),
      HostileResponse("revision", "negative", ToDoMethods.deleteItem.response, ProtobufBytes().field(1, -1)),
      HostileResponse("revision", "negative", ToDoMethods.deleteItems.response, ProtobufBytes().field(2, -1)),
      HostileResponse("deleted_count", "negative", ToDoMethods.deleteItems.response, ProtobufBytes().field(1, .min)),
      HostileResponse("renamed_count", "negative", ToDoMethods.renameTag.response, ProtobufBytes().field(1, -1)),
      HostileResponse("revision", "negative", ToDoMethods.renameTag.response, ProtobufBytes().field(2, -1)),
      HostileResponse("removed_count", "negative", ToDoMethods.deleteItems.response, ProtobufBytes().field(4, -1)),
      HostileResponse(
        "removed_count", "negative", ToDoMethods.deleteItem.response, ProtobufBytes().field(1, 7).field(3, -1)),
      info("server_version", WireResponse.info.field(1, WireResponse.text(257))),
      info("server_version", WireResponse.info.field(1, "1\u{1B}[31m")),
      info("server_version", WireResponse.info.field(1, [0xFF])),
      info("protocol_version", WireResponse.info.field(2, WireResponse.text(257))),
      info("protocol_version", WireResponse.info.field(2, "\n")),
      info("capabilities[1]", WireResponse.info.field(3, WireResponse.text(257))),
      info("capabilities[1]", WireResponse.info.field(3, "\u{9B}")),
      info("geocoder_attribution", WireResponse.info.field(5, WireResponse.text(65_537))),
      info("geocoder_attribution", WireResponse.info.field(5, "\u{1B}]8;;x")),
      info("server_time", ProtobufBytes().field(1, "1.0")),
      info("server_time", ProtobufBytes().field(6, WireItem.timestamp(.min, 0))),
      info(
        "capabilities", ProtobufBytes(Array(repeatElement(ProtobufBytes().field(3, "a").bytes, count: 257).joined()))),
    ]
    + [(1, "max_frame_bytes"), (2, "max_page_size"), (3, "max_batch_size"), (4, "max_streams_per_connection")].map {
      number, name in
      info("limits.\(name)", WireResponse.info.field(4, ProtobufBytes().field(number, -1)))
    }

  private static func info(_ field: String, _ message: ProtobufBytes) -> HostileResponse {
    HostileResponse(field, "not valid", ToDoMethods.getServerInfo.response, message)
  }
}
