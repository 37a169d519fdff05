import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Scoped<HistoryQuery> {
  static var listRevisionsRequest: Codec {
    Codec(scoped: todo__v1__list_revisions_request__init) { message in
      var violations: [FieldViolation] = []
      let item = message.item_id.isEmpty ? nil : try ItemID(message.item_id, at: "item_id", &violations)
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return HistoryQuery(
        before: message.before_revision == 0
          ? nil : Revision(message.before_revision, wireIncarnation: message.incarnation),
        item: item, pageSize: message.page_size == 0 ? nil : Int(message.page_size))
    } encode: { query, message, arena in
      message.pointee.before_revision = query.before?.number ?? 0
      message.pointee.incarnation = query.before?.wireIncarnation ?? 0
      if let item = query.item { message.pointee.item_id = item.bytes(in: arena) }
      message.pointee.page_size = Int32(clamping: query.pageSize ?? 0)
    }
  }
}

extension Codec where Value == HistoryPage {
  static var listRevisionsResponse: Codec {
    Codec(todo__v1__list_revisions_response__init) { message in
      let incarnation = ListIncarnation(message.incarnation)
      let records = try UnsafeBufferPointer(start: message.revisions, count: message.n_revisions)
        .messages(of: "revisions") { try RevisionRecord($0, at: $1(), of: incarnation) }
      guard zip(records, records.dropFirst()).allSatisfy({ $0.revision > $1.revision }) else {
        throw RPCError.malformedResponse("revisions", "must be in descending order")
      }
      return HistoryPage(revisions: records, hasMore: message.has_more != 0)
    } encode: { page, message, arena in
      message.pointee.n_revisions = page.revisions.count
      message.pointee.revisions = arena.array(page.revisions.map { $0.message(in: arena) })
      message.pointee.has_more = page.hasMore ? 1 : 0
      message.pointee.incarnation = page.revisions.first?.revision.wireIncarnation ?? 0
    }
  }
}

extension RevisionRecord {
  fileprivate init(
    _ message: Todo__V1__RevisionRecord, at path: @autoclosure () -> String, of incarnation: ListIncarnation?
  ) throws {
    let revision = try Revision(response: message.revision, at: "\(path()).revision", minimum: 1)
    let changes = try UnsafeBufferPointer(start: message.changes, count: message.n_changes)
      .messages(of: "\(path()).changes", upTo: HistoryQuery.Limits.changes) { try RecordedChange($0, at: $1()) }
    guard message.change_count >= changes.count, !changes.isEmpty else {
      throw RPCError.malformedResponse("\(path()).change_count", "must be the number of changes")
    }
    let reverted = try Revision(response: message.reverted_revision, at: "\(path()).reverted_revision")
    guard reverted < revision else {
      throw RPCError.malformedResponse("\(path()).reverted_revision", "must be an earlier revision")
    }
    self.init(
      revision: Revision(revision.number, of: incarnation),
      time: try Timestamp(response: message.change_time, at: "\(path()).change_time"),
      origin: ChangeOrigin(
        user: try message.user.line("\(path()).user", upTo: ResponseLimits.name),
        // A client chose the text, which must not make the page unreadable.
        client: ChangeOrigin.client(describedAs: String(decoding: message.client.buffer, as: UTF8.self)),
        reverted: reverted == .initial ? nil : reverted, moved: try ListMove?(message, at: path())),
      isOwn: message.own != 0, changes: changes, changeCount: Int(message.change_count))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__RevisionRecord> {
    let message = arena.make(todo__v1__revision_record__init)
    message.pointee.revision = revision.number
    message.pointee.change_time = time.message(in: arena)
    message.pointee.user = arena.bytes(origin.user)
    message.pointee.client = arena.bytes(ChangeOrigin.client(describedAs: origin.client))
    message.pointee.own = isOwn ? 1 : 0
    message.pointee.reverted_revision = origin.reverted?.number ?? 0
    if let moved = origin.moved {
      message.pointee.moved_list = moved.list.bytes(in: arena)
      message.pointee.moved_list_revision = moved.revision.number
    }
    message.pointee.n_changes = changes.count
    message.pointee.changes = arena.array(changes.map { $0.message(in: arena) })
    message.pointee.change_count = Int64(changeCount)
    return message
  }
}

extension ListMove? {
  fileprivate init(_ message: Todo__V1__RevisionRecord, at path: @autoclosure () -> String) throws {
    guard !message.moved_list.isEmpty else {
      self = nil
      return
    }
    self = ListMove(
      list: try ListID(response: message.moved_list, at: "\(path()).moved_list"),
      revision: try Revision(
        response: message.moved_list_revision, at: "\(path()).moved_list_revision", minimum: 1))
  }
}

extension RecordedChange {
  fileprivate init(_ message: Todo__V1__RecordedChange, at path: @autoclosure () -> String) throws {
    self.init(
      item: try ItemID(response: message.item_id, at: "\(path()).item_id"),
      number: try ItemNumber?(response: message.number, at: "\(path()).number"),
      title: try message.title.optionalText("\(path()).title"),
      kind: message.deleted != 0 ? .deleted : .put(PutCause(message.cause)),
      fields: try UnsafeBufferPointer(start: message.fields, count: message.n_fields)
        .messages(of: "\(path()).fields", upTo: ResponseLimits.changedFields) { try FieldChange($0, at: $1()) }
        .compactMap(\.self))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__RecordedChange> {
    let message = arena.make(todo__v1__recorded_change__init)
    message.pointee.item_id = item.bytes(in: arena)
    message.pointee.number = number?.value ?? 0
    if let title { message.pointee.title = arena.bytes(title) }
    switch kind {
    case .deleted: message.pointee.deleted = 1
    case .put(let cause): message.pointee.cause = cause.wire
    }
    message.pointee.n_fields = fields.count
    message.pointee.fields = arena.array(fields.map { $0.message(in: arena) })
    return message
  }
}

extension ItemID {
  /// Decodes the ID of a response.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response text: ProtobufCBinaryData, at path: @autoclosure () -> String) throws {
    var violations: [FieldViolation] = []
    guard let id = try ItemID(text, at: path(), &violations) else { throw RPCError.malformedResponse(violations) }
    self = id
  }
}

extension ItemNumber? {
  /// Decodes a number of a response; 0 is unknown.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response number: Int64, at path: @autoclosure () -> String) throws {
    guard number >= 0 else { throw RPCError.malformedResponse(path(), "must not be negative") }
    self = number == 0 ? nil : ItemNumber(number)
  }
}
