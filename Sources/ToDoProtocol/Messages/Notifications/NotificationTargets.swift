import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == NewNotificationTarget {
  static var addNotificationTargetRequest: Codec {
    Codec(todo__v1__add_notification_target_request__init) { message in
      guard let target = message.target?.pointee else { throw ToDoError.missing("target") }
      guard let kind = NotificationTarget.Kind(target.kind) else {
        let reason = "is \(target.kind.rawValue), which is no kind of target that the server knows"
        throw ToDoError.invalidRequest([FieldViolation("target.kind", reason)])
      }
      return NewNotificationTarget(
        kind: kind, url: try target.url.text("target.url"), secret: try target.secret.optionalText("target.secret"))
    } encode: { target, message, arena in
      let new = arena.make(todo__v1__new_notification_target__init)
      new.pointee.kind = target.kind.wire
      new.pointee.url = arena.bytes(target.url)
      new.pointee.secret = arena.bytes(target.secret ?? "")
      message.pointee.target = new
    }
  }
}

extension Codec where Value == AddedNotificationTarget {
  static var addNotificationTargetResponse: Codec {
    Codec(todo__v1__add_notification_target_response__init) { message in
      guard let target = message.target?.pointee else { throw RPCError.malformedResponse("target", "must be set") }
      let secret = message.made_secret
      if !secret.isEmpty, secret.text.flatMap(WebhookKey.init) == nil {
        throw RPCError.malformedResponse("made_secret", "must be the key of a webhook")
      }
      return AddedNotificationTarget(
        target: try NotificationTargetInfo(response: target, at: "target"),
        madeSecret: try secret.optionalText("made_secret"))
    } encode: { added, message, arena in
      message.pointee.target = added.target.message(in: arena)
      message.pointee.made_secret = arena.bytes(added.madeSecret ?? "")
    }
  }
}

extension Codec where Value == Void {
  static var listNotificationTargetsRequest: Codec { Codec(todo__v1__list_notification_targets_request__init) }
  static var removeNotificationTargetResponse: Codec { Codec(todo__v1__remove_notification_target_response__init) }
  static var confirmNotificationTargetResponse: Codec { Codec(todo__v1__confirm_notification_target_response__init) }
  static var testNotificationTargetResponse: Codec { Codec(todo__v1__test_notification_target_response__init) }
}

extension Codec where Value == [NotificationTargetInfo] {
  static var listNotificationTargetsResponse: Codec {
    Codec(todo__v1__list_notification_targets_response__init) { message in
      guard message.n_targets <= NotificationTarget.Limits.receivedTargets else {
        throw RPCError.malformedResponse("targets", "has too many elements")
      }
      let targets = UnsafeBufferPointer(start: message.targets, count: message.n_targets)
      return try targets.enumerated().map { index, found in
        let path = "targets[\(index)]"
        guard let target = found?.pointee else { throw RPCError.malformedResponse(path, "must be set") }
        return try NotificationTargetInfo(response: target, at: path)
      }
    } encode: { targets, message, arena in
      message.pointee.n_targets = targets.count
      message.pointee.targets = arena.array(targets.map { $0.message(in: arena) })
    }
  }
}

extension Codec where Value == NotificationTargetID {
  static var removeNotificationTargetRequest: Codec {
    Codec(todo__v1__remove_notification_target_request__init) { message in
      try NotificationTargetID(message.id, at: "id")
    } encode: { id, message, arena in
      message.pointee.id = arena.bytes(id.description)
    }
  }

  static var testNotificationTargetRequest: Codec {
    Codec(todo__v1__test_notification_target_request__init) { message in
      try NotificationTargetID(message.id, at: "id")
    } encode: { id, message, arena in
      message.pointee.id = arena.bytes(id.description)
    }
  }
}

/// A code for a target.
package struct NotificationTargetCode: Hashable, Sendable {
  /// The target.
  package let id: NotificationTargetID
  /// The code, as the user has typed it.
  package let code: String

  /// Creates a value.
  package init(id: NotificationTargetID, code: String) { (self.id, self.code) = (id, code) }
}

extension Codec where Value == NotificationTargetCode {
  static var confirmNotificationTargetRequest: Codec {
    Codec(todo__v1__confirm_notification_target_request__init) { message in
      let code = try message.code.text("code")
      guard (1...NotificationTarget.Limits.codeBytes).contains(code.utf8.count) else {
        let reason = "must have 1 to \(NotificationTarget.Limits.codeBytes) bytes"
        throw ToDoError.invalidRequest([FieldViolation("code", reason)])
      }
      return NotificationTargetCode(id: try NotificationTargetID(message.id, at: "id"), code: code)
    } encode: { value, message, arena in
      message.pointee.id = arena.bytes(value.id.description)
      message.pointee.code = arena.bytes(value.code)
    }
  }
}

extension NotificationTarget.Limits {
  /// The maximum size of a code in a request, in bytes.
  fileprivate static let codeBytes = 100
  /// The maximum number of targets in a response, even of a later server.
  fileprivate static let receivedTargets = 1_000
  /// The maximum size of a failure's reason, in bytes.
  fileprivate static let reasonBytes = 1_000
  /// The maximum size of the scheme, the host and the port, in bytes.
  fileprivate static let originBytes = 300
}

extension NotificationTargetID {
  /// - Throws: `ToDoError.invalidRequest` with the field's name, or `RPCError` if the bytes are not UTF-8.
  fileprivate init(_ data: ProtobufCBinaryData, at field: String) throws {
    guard let id = NotificationTargetID(try data.text(field)) else {
      throw ToDoError.invalidRequest([FieldViolation(field, "must be the ID of a target: a UUID")])
    }
    self = id
  }
}

extension NotificationTargetInfo {
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response message: Todo__V1__NotificationTarget, at path: String) throws {
    guard let id = message.id.text.flatMap(NotificationTargetID.init) else {
      throw RPCError.malformedResponse("\(path).id", "must be a UUID")
    }
    let origin = try message.origin.line("\(path).origin", upTo: NotificationTarget.Limits.originBytes)
    let failure = try message.last_failure.map {
      try NotificationFailure(response: $0.pointee, at: "\(path).last_failure")
    }
    self.init(
      id: id, kind: NotificationTarget.Kind(message.kind), origin: origin, hasSecret: message.has_secret != 0,
      needsConfirmation: message.needs_confirmation != 0, lastFailure: failure)
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__NotificationTarget> {
    let message = arena.make(todo__v1__notification_target__init)
    message.pointee.id = arena.bytes(id.description)
    message.pointee.kind = kind?.wire ?? TODO__V1__NOTIFICATION_KIND__NOTIFICATION_KIND_UNSPECIFIED
    message.pointee.origin = arena.bytes(origin)
    message.pointee.has_secret = hasSecret ? 1 : 0
    message.pointee.needs_confirmation = needsConfirmation ? 1 : 0
    if let lastFailure {
      let failure = arena.make(todo__v1__notification_failure__init)
      failure.pointee.time = lastFailure.time.message(in: arena)
      failure.pointee.reason = arena.bytes(lastFailure.reason)
      message.pointee.last_failure = failure
    }
    return message
  }
}

extension NotificationFailure {
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response message: Todo__V1__NotificationFailure, at path: String) throws {
    guard let time = message.time.flatMap({ Timestamp($0.pointee) }) else {
      throw RPCError.malformedResponse("\(path).time", "must be a time in the years 1 to 9999")
    }
    let limit = NotificationTarget.Limits.reasonBytes
    self.init(time: time, reason: try message.reason.line("\(path).reason", upTo: limit))
  }
}

extension NotificationTarget.Kind {
  /// Creates a kind, or returns `nil` for an unknown one.
  fileprivate init?(_ wire: Todo__V1__NotificationKind) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  fileprivate var wire: Todo__V1__NotificationKind {
    switch self {
    case .ntfy: TODO__V1__NOTIFICATION_KIND__NOTIFICATION_KIND_NTFY
    case .webhook: TODO__V1__NOTIFICATION_KIND__NOTIFICATION_KIND_WEBHOOK
    case .email: TODO__V1__NOTIFICATION_KIND__NOTIFICATION_KIND_EMAIL
    }
  }
}
