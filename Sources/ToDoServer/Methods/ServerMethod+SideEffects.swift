import ToDoProtocol
import ToDoRPC

extension ServerMethod {
  /// The methods that the schema marks with `NO_SIDE_EFFECTS`.
  static let namesWithoutSideEffects: Set<MethodName> = [
    ToDoMethods.getItem.name, ToDoMethods.listItems.name, ToDoMethods.listNearbyItems.name,
    ToDoMethods.geocodeAddress.name, ToDoMethods.listChanges.name, ToDoMethods.listRevisions.name,
    ToDoMethods.parseQuickAdd.name, ToDoMethods.getServerInfo.name, ListMethods.getList.name,
    ListMethods.listLists.name, NotificationMethods.listTargets.name, FeedMethods.listFeeds.name,
  ]

  /// The method, marked if it has no side effects.
  var markingSideEffects: ServerMethod {
    var method = self
    method.hasNoSideEffects = Self.namesWithoutSideEffects.contains(name)
    return method
  }
}
