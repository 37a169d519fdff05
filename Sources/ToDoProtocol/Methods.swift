import CToDoProtos
package import ToDoModel
import ToDoTTRPC

/// The methods of `todo.v1.ToDoService`, shared by client and server. A test compares them with the schema.
package enum ToDoMethods {
  /// The full name of the service.
  package static let service = "todo.v1.ToDoService"

  /// Adds an item.
  package static let addItem = Method(service, "AddItem", .addItemRequest, .item(Todo__V1__AddItemResponse.self))
  /// Adds several items, all or none.
  package static let batchAddItems = Method(service, "BatchAddItems", .batchAddItemsRequest, .batchAddItemsResponse)
  /// Returns an item.
  package static let getItem = Method(
    service, "GetItem", .itemReference(Todo__V1__GetItemRequest.self), .item(Todo__V1__GetItemResponse.self))
  /// Returns one page of a listing.
  package static let listItems = Method(service, "ListItems", .listItemsRequest, .listItemsResponse)
  /// Edits an item.
  package static let updateItem = Method(
    service, "UpdateItem", .updateItemRequest, .item(Todo__V1__UpdateItemResponse.self))
  /// Marks an item as done.
  package static let checkItem = Method(
    service, "CheckItem", .itemReference(Todo__V1__CheckItemRequest.self), .item(Todo__V1__CheckItemResponse.self))
  /// Marks an item as incomplete.
  package static let uncheckItem = Method(
    service, "UncheckItem", .itemReference(Todo__V1__UncheckItemRequest.self),
    .item(Todo__V1__UncheckItemResponse.self))
  /// Deletes an item.
  package static let deleteItem = Method(
    service, "DeleteItem", .itemReference(Todo__V1__DeleteItemRequest.self), .deleteItemResponse)
  /// Restores a deleted item.
  package static let undeleteItem = Method(
    service, "UndeleteItem", .itemReference(Todo__V1__UndeleteItemRequest.self),
    .item(Todo__V1__UndeleteItemResponse.self))
  /// Deletes all items or all done items, or removes all deleted items for good.
  package static let deleteItems = Method(service, "DeleteItems", .deleteItemsRequest, .deleteItemsResponse)
  /// Renames a tag on all items.
  package static let renameTag = Method(service, "RenameTag", .renameTagRequest, .renameTagResponse)
  /// Returns one page of the items near a place.
  package static let listNearbyItems = Method(
    service, "ListNearbyItems", .listNearbyItemsRequest, .listNearbyItemsResponse)
  /// Geocodes an address.
  package static let geocodeAddress = Method(
    service, "GeocodeAddress", .geocodeAddressRequest, .geocodeAddressResponse)
  /// Watches the list.
  package static let watchItems = Method(service, "WatchItems", .watchItemsRequest, .watchItemsResponse)
  /// The same method, for a request that names several lists.
  package static let watchItemsInLists = Method(service, "WatchItems", .watchItemsRequest, .listWatchResponse)
  /// Returns one page of changes.
  package static let listChanges = Method(service, "ListChanges", .listChangesRequest, .listChangesResponse)
  /// Returns one page of the history.
  package static let listRevisions = Method(
    service, "ListRevisions", .listRevisionsRequest, .listRevisionsResponse)
  /// Reverts the changes of one revision.
  package static let revertRevision = Method(
    service, "RevertRevision", .revertRevisionRequest, .revertRevisionResponse)
  /// Reads a sentence about an item.
  package static let parseQuickAdd = Method(
    service, "ParseQuickAdd", .parseQuickAddRequest, .parseQuickAddResponse)
  /// Returns a description of a server with the default limits.
  package static let getServerInfo = getServerInfo(
    frameLength: FrameHeader.maximumLength, calls: ServerStreams.defaultLimit)

  /// Returns the method `GetServerInfo` of a server with given limits.
  package static func getServerInfo(frameLength: Int, calls: Int) -> Method<Void, ServiceInfo> {
    Method(
      service, "GetServerInfo", .getServerInfoRequest,
      .getServerInfoResponse(frameLength: frameLength, calls: calls))
  }
}

/// The methods of `todo.v1.ListService`.
package enum ListMethods {
  /// The full name of the service.
  package static let service = "todo.v1.ListService"

  /// Creates a list.
  package static let createList = Method(
    service, "CreateList", .createListRequest, .list(Todo__V1__CreateListResponse.self))
  /// Returns a list.
  package static let getList = Method(
    service, "GetList", .listReference(Todo__V1__GetListRequest.self), .list(Todo__V1__GetListResponse.self))
  /// Returns all lists.
  package static let listLists = Method(
    service, "ListLists", .listListsRequest, .listSet(Todo__V1__ListListsResponse.self))
  /// Edits a list.
  package static let updateList = Method(
    service, "UpdateList", .updateListRequest, .list(Todo__V1__UpdateListResponse.self))
  /// Deletes a list.
  package static let deleteList = Method(
    service, "DeleteList", .listReference(Todo__V1__DeleteListRequest.self), .list(Todo__V1__DeleteListResponse.self))
  /// Restores a deleted list.
  package static let undeleteList = Method(
    service, "UndeleteList", .listReference(Todo__V1__UndeleteListRequest.self),
    .list(Todo__V1__UndeleteListResponse.self))
  /// Moves items to another list.
  package static let moveItems = Method(service, "MoveItems", .moveItemsRequest, .moveItemsResponse)
  /// Shares a list with another user.
  package static let shareList = Method(
    service, "ShareList", .shareListRequest, .list(Todo__V1__ShareListResponse.self))
  /// Stops sharing a list with a user.
  package static let unshareList = Method(
    service, "UnshareList", .unshareListRequest, .list(Todo__V1__UnshareListResponse.self))
  /// Accepts a list that another user shares.
  package static let acceptList = Method(
    service, "AcceptList", .listReference(Todo__V1__AcceptListRequest.self), .list(Todo__V1__AcceptListResponse.self))
  /// Leaves a list that another user shares.
  package static let leaveList = Method(
    service, "LeaveList", .listReference(Todo__V1__LeaveListRequest.self), .list(Todo__V1__LeaveListResponse.self))
  /// Watches the lists.
  package static let watchLists = Method(
    service, "WatchLists", .watchListsRequest, .listSet(Todo__V1__WatchListsResponse.self))
}

/// The methods of `todo.v1.NotificationService`.
package enum NotificationMethods {
  /// The full name of the service.
  package static let service = "todo.v1.NotificationService"

  /// Adds a target.
  package static let addTarget = Method(
    service, "AddNotificationTarget", .addNotificationTargetRequest, .addNotificationTargetResponse)
  /// Returns all targets.
  package static let listTargets = Method(
    service, "ListNotificationTargets", .listNotificationTargetsRequest, .listNotificationTargetsResponse)
  /// Removes a target.
  package static let removeTarget = Method(
    service, "RemoveNotificationTarget", .removeNotificationTargetRequest, .removeNotificationTargetResponse)
  /// Confirms an email address.
  package static let confirmTarget = Method(
    service, "ConfirmNotificationTarget", .confirmNotificationTargetRequest, .confirmNotificationTargetResponse)
  /// Sends a test message to a target.
  package static let testTarget = Method(
    service, "TestNotificationTarget", .testNotificationTargetRequest, .testNotificationTargetResponse)
}

/// The methods of `todo.v1.PositionService`.
package enum PositionMethods {
  /// The full name of the service.
  package static let service = "todo.v1.PositionService"

  /// Reports the caller's position.
  package static let reportPosition = Method(
    service, "ReportPosition", .reportPositionRequest, .reportPositionResponse)
}

/// The methods of `todo.v1.ReminderService`.
package enum ReminderMethods {
  /// The full name of the service.
  package static let service = "todo.v1.ReminderService"

  /// Watches the reminders that are due.
  package static let watchReminders = Method(
    service, "WatchReminders", .watchRemindersRequest, .watchRemindersResponse)
  /// Acknowledges a reminder.
  package static let acknowledgeReminder = Method(
    service, "AcknowledgeReminder", .acknowledgeReminderRequest, .acknowledgeReminderResponse)
}

/// The methods of `todo.v1.FeedService`.
package enum FeedMethods {
  /// The full name of the service.
  package static let service = "todo.v1.FeedService"

  /// Creates a feed.
  package static let createFeed = Method(
    service, "CreateCalendarFeed", .createCalendarFeedRequest, .createCalendarFeedResponse)
  /// Returns all feeds.
  package static let listFeeds = Method(
    service, "ListCalendarFeeds", .listCalendarFeedsRequest, .listCalendarFeedsResponse)
  /// Revokes a feed.
  package static let revokeFeed = Method(
    service, "RevokeCalendarFeed", .revokeCalendarFeedRequest, .revokeCalendarFeedResponse)
}

/// The methods of `todo.v1.SignInService`.
package enum SignInMethods {
  /// The full name of the service.
  package static let service = "todo.v1.SignInService"

  /// Creates a link.
  package static let createLink = Method(
    service, "CreateSignInLink", .createSignInLinkRequest, .createSignInLinkResponse)
}

/// The methods of `grpc.health.v1.Health`.
package enum HealthMethods {
  /// The full name of the service.
  package static let service = "grpc.health.v1.Health"

  /// Returns the health of a server or service.
  package static let check = Method(service, "Check", .healthCheckRequest, .healthCheckResponse)
  /// Watches the health of a server or service.
  package static let watch = Method(service, "Watch", .healthCheckRequest, .healthCheckResponse)
}

/// The methods of `todo.v1.ConnectionService`.
package enum ConnectionMethods {
  /// The full name of the service.
  package static let service = "todo.v1.ConnectionService"

  /// Cancels other calls of the connection.
  package static let cancelCall = Method(service, "CancelCall", .cancelCallRequest, .cancelCallResponse)
  /// Sets the credentials of the connection's later calls.
  package static let authenticate = Method(service, "Authenticate", .authenticateRequest, .authenticateResponse)
}
