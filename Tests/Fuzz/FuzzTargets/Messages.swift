import ToDoProtobuf
import ToDoProtocol

extension FuzzTarget {
  /// The codecs of all messages. The first byte of the input selects the message.
  static let messages = FuzzTarget(name: "messages") { bytes in
    guard let first = bytes.first else { return }
    let codecs = Self.codecs
    codecs[Int(first) % codecs.count](UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  private static let codecs: [@Sendable (UnsafeRawBufferPointer) -> Void] = {
    var all: [@Sendable (UnsafeRawBufferPointer) -> Void] = []
    func add<Request, Response>(_ method: Method<Request, Response>) {
      all.append { checkRoundTrip(method.request, $0) }
      // A client skips changes of later versions, so such a response does not round-trip.
      let skips = method.name == ToDoMethods.watchItems.name || method.name == ToDoMethods.listChanges.name
      all.append { bytes in
        if skips { _ = try? method.response.decode(bytes, Arena()) } else { checkRoundTrip(method.response, bytes) }
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
    add(ToDoMethods.renameTag)
    add(ToDoMethods.listNearbyItems)
    add(ToDoMethods.geocodeAddress)
    add(ToDoMethods.watchItems)
    add(ToDoMethods.listChanges)
    add(ToDoMethods.parseQuickAdd)
    add(ToDoMethods.getServerInfo)
    add(ListMethods.createList)
    add(ListMethods.getList)
    add(ListMethods.listLists)
    add(ListMethods.updateList)
    add(ListMethods.deleteList)
    add(ListMethods.undeleteList)
    add(ListMethods.moveItems)
    add(ListMethods.shareList)
    add(ListMethods.unshareList)
    add(ListMethods.acceptList)
    add(ListMethods.leaveList)
    add(ListMethods.watchLists)
    add(NotificationMethods.addTarget)
    add(NotificationMethods.listTargets)
    add(NotificationMethods.removeTarget)
    add(NotificationMethods.confirmTarget)
    add(NotificationMethods.testTarget)
    add(PositionMethods.reportPosition)
    add(ReminderMethods.watchReminders)
    add(ReminderMethods.acknowledgeReminder)
    add(FeedMethods.createFeed)
    add(FeedMethods.listFeeds)
    add(FeedMethods.revokeFeed)
    add(SignInMethods.createLink)
    add(ConnectionMethods.cancelCall)
    add(ConnectionMethods.authenticate)
    add(HealthMethods.check)
    // Last, because stored inputs select the others by their positions.
    add(ToDoMethods.watchItemsInLists)
    add(ToDoMethods.undeleteItem)
    add(ToDoMethods.listRevisions)
    add(ToDoMethods.revertRevision)
    return all
  }()

  /// Checks that a decoded value can be encoded, and that the encoded bytes can be decoded.
  private static func checkRoundTrip<Value>(_ codec: Codec<Value>, _ bytes: UnsafeRawBufferPointer) {
    let arena = Arena()
    arena.setLimit(forEncodedSize: bytes.count)
    guard let value = try? codec.decode(bytes, arena) else { return }
    arena.release()
    let other = Arena()
    let written = other.pack(codec.encode(value, other))
    let again = Arena()
    precondition((try? codec.decode(written, again)) != nil, "encoded bytes can be decoded")
  }
}
