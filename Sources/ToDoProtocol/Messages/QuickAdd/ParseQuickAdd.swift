import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == QuickAddSentence {
  static var parseQuickAddRequest: Codec {
    Codec(todo__v1__parse_quick_add_request__init) { message in
      var violations: [FieldViolation] = []
      let sentence = QuickAddSentence(
        try message.text.text("text"), timeZone: try message.time_zone.text("time_zone"),
        languages: try [String](
          message.languages, message.n_languages, at: "languages", limit: Value.Limits.languages, &violations),
        lists: try [String](
          message.list_names, message.n_list_names, at: "list_names", limit: Value.Limits.lists, &violations))
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return sentence
    } encode: { sentence, message, arena in
      message.pointee.text = arena.bytes(sentence.text)
      message.pointee.time_zone = arena.bytes(sentence.timeZone)
      (message.pointee.languages, message.pointee.n_languages) = sentence.languages.message(in: arena)
      (message.pointee.list_names, message.pointee.n_list_names) = sentence.lists.message(in: arena)
    }
  }
}

extension Codec where Value == ParsedQuickAdd {
  static var parseQuickAddResponse: Codec {
    Codec(todo__v1__parse_quick_add_response__init) { message in
      guard let item = message.item?.pointee else { throw RPCError.malformedResponse("item", "must be set") }
      return ParsedQuickAdd(
        try ItemContent(read: item, at: "item"),
        list: message.list_name.isEmpty
          ? nil : try message.list_name.line("list_name", upTo: QuickAddSentence.Limits.listName),
        spans: try UnsafeBufferPointer(start: message.spans, count: message.n_spans)
          .messages(of: "spans", upTo: QuickAddSentence.Limits.text) { try ParsedQuickAdd.Span(response: $0, at: $1()) }
          .compactMap(\.self),
        facts: try facts(of: message), notice: try message.notice.notice,
        alternatives: try UnsafeBufferPointer(start: message.alternatives, count: message.n_alternatives)
          .messages(of: "alternatives", upTo: QuickAddSentence.Limits.text) { try ItemContent(read: $0, at: $1()) })
    } encode: { parsed, message, arena in
      message.pointee.item = parsed.content.message(in: arena, isConfirmed: false)
      if let list = parsed.list { message.pointee.list_name = arena.bytes(list) }
      message.pointee.n_spans = parsed.spans.count
      message.pointee.spans = arena.array(parsed.spans.map { $0.message(in: arena) })
      (message.pointee.facts, message.pointee.n_facts) = parsed.facts.message(in: arena)
      if let notice = parsed.notice { message.pointee.notice = arena.bytes(notice) }
      message.pointee.n_alternatives = parsed.alternatives.count
      message.pointee.alternatives = arena.array(
        parsed.alternatives.map { $0.message(in: arena, isConfirmed: false) })
    }
  }

  /// The maximum number of facts in a response, even of a later server.
  private static var receivedFacts: Int { 64 }

  /// - Throws: `RPCError.malformedResponse`.
  private static func facts(of message: Todo__V1__ParseQuickAddResponse) throws -> [String] {
    guard message.n_facts <= receivedFacts else {
      throw RPCError.malformedResponse("facts", "has \(message.n_facts) elements; at most \(receivedFacts) are allowed")
    }
    return try UnsafeBufferPointer(start: message.facts, count: message.n_facts).enumerated().map { index, fact in
      try fact.line("facts[\(index)]", upTo: ResponseLimits.quickAddText)
    }
  }
}

extension ProtobufCBinaryData {
  /// The notice of a response, or `nil` if it is empty.
  fileprivate var notice: String? {
    get throws { isEmpty ? nil : try line("notice", upTo: ResponseLimits.quickAddText) }
  }
}

extension ResponseLimits {
  /// The maximum size of a fact or a notice, in bytes of UTF-8. Escaping makes a sentence's text longer.
  fileprivate static var quickAddText: Int { 65_536 }
}

extension ItemContent {
  /// Decodes an item that was read from a sentence. Its texts may be longer than those of saved items.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(read message: Todo__V1__Item, at path: @autoclosure () -> String) throws {
    var violations: [FieldViolation] = []
    let content = try ItemContent(request: message, at: path(), &violations)
    guard violations.isEmpty else { throw RPCError.malformedResponse(violations) }
    self = content
  }
}

extension ParsedQuickAdd.Span {
  /// Decodes a part, or returns `nil` if it sets a field of a later version.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init?(response message: Todo__V1__QuickAddSpan, at path: @autoclosure () -> String) throws {
    guard message.start >= 0, message.start <= message.end else {
      throw RPCError.malformedResponse("\(path()).end", "must not be before the start, which must not be negative")
    }
    guard let field = ParsedQuickAdd.Field.allCases.first(where: { $0.wire == message.field }) else { return nil }
    self.init(field, Int(message.start)..<Int(message.end))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__QuickAddSpan> {
    let message = arena.make(todo__v1__quick_add_span__init)
    message.pointee.field = field.wire
    message.pointee.start = Int32(clamping: range.lowerBound)
    message.pointee.end = Int32(clamping: range.upperBound)
    return message
  }
}

extension ParsedQuickAdd.Field {
  fileprivate var wire: Todo__V1__QuickAddField {
    switch self {
    case .due: TODO__V1__QUICK_ADD_FIELD__QUICK_ADD_FIELD_DUE
    case .place: TODO__V1__QUICK_ADD_FIELD__QUICK_ADD_FIELD_PLACE
    case .tag: TODO__V1__QUICK_ADD_FIELD__QUICK_ADD_FIELD_TAG
    case .priority: TODO__V1__QUICK_ADD_FIELD__QUICK_ADD_FIELD_PRIORITY
    case .list: TODO__V1__QUICK_ADD_FIELD__QUICK_ADD_FIELD_LIST
    }
  }
}
