import NIOCore
import ToDoModel
import ToDoProtobuf
import ToDoProtocol

/// What is measured.
enum Work: String, CaseIterable {
  /// From a Swift value to the bytes of its message.
  case encodeItem = "encode-item"
  /// From the bytes of a message to a Swift value, the check of its UTF-8 included.
  case decodeItem = "decode-item"
  /// A GetItem that comes alone: from its frame to the frame of its answer, which is written.
  case getItem = "get-item"
  /// One of 16 GetItems that come together, and whose answers are written together.
  case getItemAmong16 = "get-item-among-16"
  /// An addition by the rules of the list, up to its commit by the SQLite store.
  case addItem = "add-item"

  /// Counts are multiples of it.
  static let batch = 16

  /// Makes what the work needs, and returns what does it a number of times.
  func prepare() -> (Int) -> Void {
    switch self {
    case .encodeItem:
      let (arena, item) = (Arena(), SampleItem.item)
      return { count in
        var buffer = ByteBufferAllocator().buffer(capacity: 1024)
        for _ in 0..<count {
          buffer.clear()
          buffer.writeMessage(ToDoMethods.getItem.response.encode(item, arena))
          arena.reset()
        }
      }
    case .decodeItem:
      let arena = Arena()
      let bytes = SampleItem.encoded
      return { count in
        for _ in 0..<count {
          let item = bytes.withUnsafeReadableBytes { try? ToDoMethods.getItem.response.decode($0, arena) }
          precondition(item?.revision == SampleItem.item.revision, "the item is not what was encoded")
          arena.reset()
        }
      }
    case .getItem:
      let connection = BenchmarkConnection()
      return { count in
        for _ in 0..<count { connection.getItem(1) }
      }
    case .getItemAmong16:
      let connection = BenchmarkConnection()
      return { count in
        for _ in 0..<count / Self.batch { connection.getItem(Self.batch) }
      }
    case .addItem:
      let list = BenchmarkList()
      return { count in list.addItems(count) }
    }
  }
}
