package import CToDoProtos

/// A memory arena for decoding and building messages. It allocates sequentially and frees everything in one operation.
///
/// Allocated memory is valid until `reset` or `release`, so decoded values are copied into Swift values before that.
/// Only one thread may use an arena at a time. An unused arena has no heap memory other than the object itself.
package final class Arena {
  private let arena: UnsafeMutablePointer<todo_arena>
  private var limit: Int
  private var elementLimit = Int.max

  /// Creates an arena.
  ///
  /// - Parameter limit: the maximum number of bytes that may be allocated since the last reset when a message is
  ///   decoded. Building messages has no limit.
  package init(limit: Int = Arena.defaultLimit) {
    self.limit = limit
    arena = .allocate(capacity: 1)
    // Only decoding has a limit. The size of built messages is bounded by the service's results.
    todo_arena_init(arena, .max)
  }

  deinit {
    todo_arena_release(arena)
    arena.deallocate()
  }

  /// The default limit: four times the maximum size of a frame.
  package static let defaultLimit = 16 << 20

  /// Frees all allocations, and retains a little memory for the next message.
  package func reset() { todo_arena_reset(arena) }

  /// Frees all allocations and all memory.
  package func release() { todo_arena_release(arena) }

  /// Sets the limit for decoding a message of `count` bytes: a constant plus 16 bytes for each byte.
  ///
  /// A typical item needs three to four times its encoded size, an empty element of a list a hundred times.
  package func setLimit(forEncodedSize count: Int) {
    limit = min(Self.defaultLimit, (256 << 10) + 16 * count)
  }

  /// Sets the maximum total number of elements in a message's lists.
  package func setLimit(ofElements count: Int) { elementLimit = count }
}

// MARK: - Decoding

extension Arena {
  /// Decodes a message, which is allocated in the arena.
  ///
  /// - Parameter initialize: the message's generated `…__init` function.
  package func unpack<Message>(
    _ initialize: (UnsafeMutablePointer<Message>?) -> Void, _ bytes: UnsafeRawBufferPointer
  ) throws(DecodingFailure) -> UnsafeMutablePointer<Message> {
    // An empty message refers to its descriptor. Referring to the C constant in Swift would copy it.
    guard let descriptor = make(initialize).message.pointee.descriptor else { throw .malformed }
    try WireFormatValidator.check(bytes, as: descriptor, maximumElements: elementLimit)
    let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    todo_arena_set_limit(arena, limit)
    defer { todo_arena_set_limit(arena, .max) }
    guard let message = protobuf_c_message_unpack(descriptor, &arena.pointee.allocator, bytes.count, data) else {
      throw arena.pointee.exhausted ? .tooLarge : .malformed
    }
    return UnsafeMutableRawPointer(message).assumingMemoryBound(to: Message.self)
  }
}

/// The reason why a message could not be decoded.
package enum DecodingFailure: Error, Equatable {
  /// The bytes are not a valid message of the type.
  case malformed
  /// The lists have more elements than the limit.
  case tooManyElements
  /// The message needs more memory than the limit.
  case tooLarge
}

// MARK: - Building

extension Arena {
  /// Allocates a message.
  ///
  /// - Parameter initialize: the message's generated `…__init` function.
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

  /// Allocates `count` bytes, at least one, which `write` initializes.
  package func bytes(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> ProtobufCBinaryData {
    let bytes = UnsafeMutableRawBufferPointer(start: allocate(count), count: count)
    write(bytes)
    return ProtobufCBinaryData(UnsafeRawBufferPointer(bytes))
  }

  /// Copies bytes into the arena.
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

  /// Encodes a message into the arena. The message must start with its `base`, as every generated message does.
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
  /// The message in the form that protobuf-c's generic functions take. Generated structs start with their base.
  package var message: UnsafePointer<ProtobufCMessage> {
    UnsafeRawPointer(self).assumingMemoryBound(to: ProtobufCMessage.self)
  }
}
