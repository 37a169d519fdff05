package import CProtos

/// The memory that messages are decoded into and built in: given out in sequence, given back all at once.
///
/// Whatever an arena gave out is valid until `reset` or `release`, so decoded values are copied into Swift values
/// before that. An arena belongs to one thread at a time and, unused, costs no heap but itself.
package final class Arena {
  private let arena: UnsafeMutablePointer<todo_arena>
  private var limit: Int
  private var elementLimit = Int.max

  /// - Parameter limit: how many bytes decoding may bring what was given out since the last reset to; building may
  ///   go beyond.
  package init(limit: Int = Arena.defaultLimit) {
    self.limit = limit
    arena = .allocate(capacity: 1)
    // Only decoding has a limit: what is built is bounded by what a service returns.
    todo_arena_init(arena, .max)
  }

  deinit {
    todo_arena_release(arena)
    arena.deallocate()
  }

  /// What a frame of the greatest size may cost when decoded, four times over.
  package static let defaultLimit = 16 << 20

  /// Takes everything back and keeps a little memory for the next message.
  package func reset() { todo_arena_reset(arena) }

  /// Takes everything back and holds no memory.
  package func release() { todo_arena_release(arena) }

  /// Sets the ceiling for decoding a message of `count` bytes: 16 bytes for each, and some to begin with.
  ///
  /// An honest item costs three to four times its encoded size, an empty element of a list a hundred times.
  package func setLimit(forEncodedSize count: Int) {
    limit = min(Self.defaultLimit, (256 << 10) + 16 * count)
  }

  /// Sets how many elements the lists of a message may have, all taken together.
  package func setLimit(ofElements count: Int) { elementLimit = count }
}

// MARK: - Decoding

extension Arena {
  /// Decodes a message; what it points to lies in the arena.
  ///
  /// - Parameter initialize: the message's generated `…__init` function.
  package func unpack<Message>(
    _ initialize: (UnsafeMutablePointer<Message>?) -> Void, _ bytes: UnsafeRawBufferPointer
  ) throws(DecodingFailure) -> UnsafeMutablePointer<Message> {
    // An empty message knows its descriptor, which Swift cannot refer to otherwise: it would copy the C constant.
    guard let descriptor = make(initialize).message.pointee.descriptor else { throw .malformed }
    try MessageScan.check(bytes, as: descriptor, maximumElements: elementLimit)
    let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    todo_arena_set_limit(arena, limit)
    defer { todo_arena_set_limit(arena, .max) }
    guard let message = protobuf_c_message_unpack(descriptor, &arena.pointee.allocator, bytes.count, data) else {
      throw arena.pointee.exhausted ? .tooLarge : .malformed
    }
    return UnsafeMutableRawPointer(message).assumingMemoryBound(to: Message.self)
  }
}

/// Why bytes did not become a message.
package enum DecodingFailure: Error, Equatable {
  /// They are no message of the type.
  case malformed
  /// Its lists have more elements than are allowed.
  case tooManyElements
  /// They cost more memory than the arena gives.
  case tooLarge
}

// MARK: - Building

extension Arena {
  /// Makes a message: `initialize` is its generated `…__init` function.
  package func make<Message>(
    _ initialize: (UnsafeMutablePointer<Message>?) -> Void
  ) -> UnsafeMutablePointer<Message> {
    let message = allocate(MemoryLayout<Message>.size).bindMemory(to: Message.self, capacity: 1)
    initialize(message)
    return message
  }

  /// Copies a text into the arena.
  package func bytes(_ text: String) -> ProtobufCBinaryData {
    var text = text
    return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  /// Makes `count` bytes, at least one, which `write` writes.
  package func bytes(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> ProtobufCBinaryData {
    let bytes = UnsafeMutableRawBufferPointer(start: allocate(count), count: count)
    write(bytes)
    return ProtobufCBinaryData(UnsafeRawBufferPointer(bytes))
  }

  package func bytes(_ source: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
    guard let start = source.baseAddress, !source.isEmpty else { return ProtobufCBinaryData() }
    let copy = allocate(source.count)
    copy.copyMemory(from: start, byteCount: source.count)
    return ProtobufCBinaryData(UnsafeRawBufferPointer(start: copy, count: source.count))
  }

  /// Copies a list into the arena, in the form of a repeated field.
  package func array<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element>? {
    guard !elements.isEmpty else { return nil }
    let copy = allocate(elements.count * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: elements.count)
    copy.initialize(from: elements, count: elements.count)
    return copy
  }

  /// Encodes a message into the arena. Its `base` must be at its beginning, as in every generated message.
  package func pack(_ message: UnsafePointer<ProtobufCMessage>) -> UnsafeRawBufferPointer {
    let count = protobuf_c_message_get_packed_size(message)
    let bytes = allocate(count)
    protobuf_c_message_pack(message, bytes.assumingMemoryBound(to: UInt8.self))
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  private func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    guard let memory = todo_arena_alloc(arena, count) else { preconditionFailure("the system has no memory") }
    return memory
  }
}

extension UnsafeMutablePointer {
  /// The message as protobuf-c's generic functions take it: generated structs begin with their base.
  package var message: UnsafePointer<ProtobufCMessage> {
    UnsafeRawPointer(self).assumingMemoryBound(to: ProtobufCMessage.self)
  }
}
