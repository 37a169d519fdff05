import ToDoModel

/// An action that a screen requests in response to an event.
enum ScreenAction: Equatable, Sendable {
  case perform(Effect)
  case outcome(ScreenOutcome)
  /// Shows a message in the status line until the next key.
  case message(String)
  /// Shows that a change failed, until the user has seen it.
  case failure(String)
}

/// The user's decision on a screen. The coordinator determines the next screen.
enum ScreenOutcome: Equatable, Sendable {
  /// The user opened an item.
  case opened(ItemID)
  /// The user wants to add an item with a sentence.
  case wantsToAdd
  /// The user wants to add an item with a form.
  case wantsForm
  /// The user wants to edit an item.
  case wantsToEdit(ItemID)
  /// The user wants a map of items, centered on one of them if it is set.
  case wantsMap(of: [ItemID], center: ItemID?)
  /// The user wants the items near an item.
  case wantsNearby(ItemID)
  /// The user wants to undo the last change.
  case wantsUndo
  /// The user wants to choose among the lists.
  case wantsLists
  /// The user chose a list to show.
  case chose(UserList)
  /// The user wants to choose the list to which an item is moved.
  case wantsToMove(ItemID)
  /// The user chose the list to which an item is moved.
  case choseTarget(UserList, of: ItemID)
  /// The user wants to see who shares a list.
  case wantsMembers(of: UserList)
  /// The user wants the list of keys.
  case wantsHelp
  /// The user closed the line of a new item, whose text is kept.
  case postponed(FormDraft)
  /// The user closed the screen.
  case closed
  /// The form was saved as this item.
  case saved(ToDoItem)
}
