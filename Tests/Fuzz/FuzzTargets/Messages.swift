import TTRPC
import ToDoProtocol

extension FuzzTarget {
  /// Every message of the schema: the first byte says which, the others are its bytes.
  static let messages = FuzzTarget(name: "messages") { bytes in
    guard let first = bytes.first else { return }
    let codecs = Self.codecs
    codecs[Int(first) % codecs.count](UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  private static let codecs: [@Sendable (UnsafeRawBufferPointer) -> Void] = {
    var all: [@Sendable (UnsafeRawBufferPointer) -> Void] = []
    func add<Request, Response>(_ method: Method<Request, Response>) {
      all.append { tryOut(method.request, $0) }
      // A client skips changes of later versions, so that it may not write what it read.
      let skips = method.name == ToDoMethods.watchItems.name || method.name == ToDoMethods.listChanges.name
      all.append { bytes in
        if skips { _ = try? method.response.decode(bytes, Arena()) } else { tryOut(method.response, bytes) }
      }
    }
    add(ToDoMethods.addItem)
    add(ToDoMethods.batchAddItems)
    add(ToDoMethods.getItem)
    add(ToDoMethods.listItems)
    add(ToDoMethods.updateItem)
    add(ToDoMethods.checkItem)
    add(ToDoMethods.uncheckItem)
    add(ToDoMethods.deleteItem)
    add(ToDoMethods.deleteItems)
    add(ToDoMethods.listNearbyItems)
    add(ToDoMethods.geocodeAddress)
    add(ToDoMethods.watchItems)
    add(ToDoMethods.listChanges)
    add(ToDoMethods.getServerInfo)
    add(ConnectionMethods.cancelCall)
    add(ConnectionMethods.authenticate)
    add(HealthMethods.check)
    return all
  }()

  /// What is taken can be written, and what is written is taken.
  private static func tryOut<Value>(_ codec: Codec<Value>, _ bytes: UnsafeRawBufferPointer) {
    let arena = Arena()
    arena.setLimit(forEncodedSize: bytes.count)
    guard let value = try? codec.decode(bytes, arena) else { return }
    arena.release()
    let other = Arena()
    let written = other.pack(codec.encode(value, other))
    let again = Arena()
    precondition((try? codec.decode(written, again)) != nil, "what was written can be read")
  }
}
