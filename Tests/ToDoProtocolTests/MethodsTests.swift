import CToDoProtos
import Testing
import ToDoProtocol
import ToDoRPC

/// The method table, compared with the schema.
@Suite struct MethodsTests {
  static let toDoMethods = [
    ToDoMethods.addItem.name, ToDoMethods.batchAddItems.name, ToDoMethods.getItem.name, ToDoMethods.listItems.name,
    ToDoMethods.updateItem.name, ToDoMethods.checkItem.name, ToDoMethods.uncheckItem.name,
    ToDoMethods.deleteItem.name, ToDoMethods.deleteItems.name, ToDoMethods.renameTag.name,
    ToDoMethods.listNearbyItems.name,
    ToDoMethods.geocodeAddress.name, ToDoMethods.watchItems.name,
    ToDoMethods.listChanges.name, ToDoMethods.getServerInfo.name,
    ToDoMethods.undeleteItem.name, ToDoMethods.listRevisions.name, ToDoMethods.revertRevision.name,
    ToDoMethods.parseQuickAdd.name,
  ]

  @Test func toDoMethods_equalSchema() {
    let names = Self.toDoMethods.map(\.method)
    #expect(names.sorted() == Schema.methods(of: todo__v1__to_do_service__descriptor).sorted())
    #expect(ToDoMethods.service == String(cString: todo__v1__to_do_service__descriptor.name))
    #expect(Self.toDoMethods.allSatisfy { $0.service == ToDoMethods.service })
  }

  @Test func listMethods_equalSchema() {
    let methods = [
      ListMethods.createList.name, ListMethods.getList.name, ListMethods.listLists.name, ListMethods.updateList.name,
      ListMethods.deleteList.name, ListMethods.undeleteList.name, ListMethods.moveItems.name,
      ListMethods.shareList.name, ListMethods.unshareList.name, ListMethods.acceptList.name,
      ListMethods.leaveList.name, ListMethods.watchLists.name,
    ]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__list_service__descriptor))
    #expect(ListMethods.service == String(cString: todo__v1__list_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == ListMethods.service })
  }

  @Test func notificationMethods_equalSchema() {
    let methods = [
      NotificationMethods.addTarget.name, NotificationMethods.listTargets.name, NotificationMethods.removeTarget.name,
      NotificationMethods.confirmTarget.name, NotificationMethods.testTarget.name,
    ]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__notification_service__descriptor))
    #expect(NotificationMethods.service == String(cString: todo__v1__notification_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == NotificationMethods.service })
  }

  @Test func positionMethods_equalSchema() {
    let methods = [PositionMethods.reportPosition.name]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__position_service__descriptor))
    #expect(PositionMethods.service == String(cString: todo__v1__position_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == PositionMethods.service })
  }

  @Test func feedMethods_equalSchema() {
    let methods = [FeedMethods.createFeed.name, FeedMethods.listFeeds.name, FeedMethods.revokeFeed.name]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__feed_service__descriptor))
    #expect(FeedMethods.service == String(cString: todo__v1__feed_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == FeedMethods.service })
  }

  @Test func signInMethods_equalSchema() {
    let methods = [SignInMethods.createLink.name]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__sign_in_service__descriptor))
    #expect(SignInMethods.service == String(cString: todo__v1__sign_in_service__descriptor.name))
  }

  @Test func reminderMethods_equalSchema() {
    let methods = [ReminderMethods.watchReminders.name, ReminderMethods.acknowledgeReminder.name]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__reminder_service__descriptor))
    #expect(ReminderMethods.service == String(cString: todo__v1__reminder_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == ReminderMethods.service })
  }

  @Test func healthMethods_equalSchema() {
    let methods = [HealthMethods.check.name, HealthMethods.watch.name]
    #expect(methods.map(\.method) == Schema.methods(of: grpc__health__v1__health__descriptor))
    #expect(HealthMethods.service == String(cString: grpc__health__v1__health__descriptor.name))
    #expect(methods.allSatisfy { $0.service == HealthMethods.service })
  }

  @Test func connectionMethods_equalSchema() {
    let methods = [ConnectionMethods.cancelCall.name, ConnectionMethods.authenticate.name]
    #expect(methods.map(\.method) == Schema.methods(of: todo__v1__connection_service__descriptor))
    #expect(ConnectionMethods.service == String(cString: todo__v1__connection_service__descriptor.name))
    #expect(methods.allSatisfy { $0.service == ConnectionMethods.service })
  }
}
