package import ToDoModel
package import ToDoText

/// An operation outside the screens. Its result returns as an event.
package enum Effect: Equatable, Sendable {
  /// The revision of a repeating item is set, so that a repeated request checks one occurrence.
  case check(ItemID, ifRevision: Revision? = nil)
  case uncheck(ItemID)
  case delete(ItemID)
  /// Deletes many items in one change.
  case deleteAll(BulkDeletion)
  /// Reverts the changes of a revision.
  case revert(Revision)
  /// Adds an item.
  case add(ItemContent, SaveOptions)
  /// Adds an item to a list, other than the one that is shown.
  case addElsewhere(ItemContent, SaveOptions, to: UserList)
  /// Changes an item that still has the given revision.
  case update(ItemID, ItemEdit, ifRevision: Revision, SaveOptions)
  /// Adds an occurrence as an item of its own, if its item still has the given revision, and moves the item on.
  case split(ItemID, OccurrenceSplit, ifRevision: Revision, SaveOptions)
  /// Replaces the steps of an item that still has the given revision.
  case setSteps(ItemID, [Step], ifRevision: Revision)
  /// Changes the due date of an item that still has the given revision.
  case reschedule(ItemID, ItemEdit, ifRevision: Revision, ItemAction)
  /// Moves an item from a list to another one.
  case move(ItemID, from: ListID, to: UserList)
  /// Geocodes an address. Cancels an earlier geocoding.
  case geocode(GeocodeQuery)
  /// Finds the places that the place in a sentence can mean as an address. Cancels an earlier search.
  case locate(String)
  /// Cancels the geocoding.
  case cancelGeocoding
  /// Reads the latest changes of an item. Cancels an earlier reading.
  case readHistory(ItemID)
  /// Reads the lists. Cancels an earlier reading.
  case readLists
  /// Reads the invitations to lists of other users. Cancels an earlier reading.
  case readInvitations
  /// Reads the lists again whenever they change, whichever list is shown.
  case watchLists
  /// Counts the items of lists. Cancels an earlier counting.
  case countItems([ListID])
  /// Changes who shares a list.
  case changeSharing(UserList, ListSharingChange)
  /// Creates a list with a name.
  case createList(String)
  /// Renames a list that still has the given version.
  case renameList(ListID, to: String, ifVersion: Int64)
  /// Makes all further effects concern the items of another list, and watches these instead. Changes that are pending are still
  /// made in the list that was shown before.
  case showList(ListID)
  /// Sorts items. Cancels an earlier sort.
  case sort([ListedItem], RowOrder)
  /// Copies a text to the clipboard of the terminal (OSC 52).
  case copy(String)
  /// Opens a web page, or shows its address if that is impossible.
  case open(url: String)
  /// Stores the draft of the form, or removes it.
  case storeDraft(FormDraft?)
  case startTimer(ScreenTimer, Duration)
  case cancelTimer(ScreenTimer)
  /// Draws the whole window again.
  case redraw
  case quit
}

extension Effect {
  /// Checks an item.
  static func check(_ item: ToDoItem) -> Effect { .check(item.id, ifRevision: item.revisionToCheck) }
}

/// The result of an effect.
package enum EffectResult: Equatable, Sendable {
  /// An item was changed without a form.
  case changed(ItemID, ItemAction, Result<Revision, EffectFailure>)
  case deletedAll(BulkDeletion, Result<BulkDeletionResult, EffectFailure>)
  case reverted(Result<Reversal, EffectFailure>)
  case saved(Result<ToDoItem, EffectFailure>)
  /// An item was added to a list, other than the one that is shown.
  case addedElsewhere(UserList, Result<ToDoItem, EffectFailure>)
  /// The steps of an item were replaced.
  case stepsSet(ItemID, Result<ToDoItem, EffectFailure>)
  /// An address was geocoded. `isGuess` says whether the first candidate is a guess, which the user must confirm.
  case geocoded(GeocodeQuery, Result<GeocodeResult, EffectFailure>, isGuess: Bool = false)
  /// The places that were found. None if the place is only a name.
  case located(String, [AddressMatch])
  case historyRead(ItemID, Result<[RevisionRecord], EffectFailure>)
  /// The lists were read, or have changed while they are watched: because `watchLists` was requested, or because a list other
  /// than the default one is shown.
  case listsRead(Result<ListSet, EffectFailure>)
  /// The invitations to lists of other users were read.
  case invitationsRead(Result<[UserList], EffectFailure>)
  /// The items of lists were counted, except for lists in which that failed.
  case itemsCounted([ListID: ListCounts])
  /// It was changed who shares a list. The result is the list after the change.
  case sharingChanged(UserList, ListSharingChange, Result<UserList, EffectFailure>)
  /// A list was created or renamed.
  case listSaved(Result<UserList, EffectFailure>)
  case sorted(RowOrder, [ItemID])
  /// The web page could not be opened.
  case notOpened(url: String)
}

/// A change of one item that needs no form.
package enum ItemAction: Equatable, Sendable {
  case checked, unchecked, deleted
  /// An item that repeats was moved on to its next occurrence.
  case skipped
  /// The item is due later.
  case postponed
  /// The item was moved to the list with this name. The revision is the former list's.
  case moved(to: String)
}

/// An effect that failed.
package struct EffectFailure: Error, Equatable, Sendable {
  /// The kinds of failures to which screens respond differently.
  package enum Kind: Equatable, Sendable {
    /// The geocoder found no coordinate for the address. The item can be saved without one.
    case addressNotFound
    /// The geocoder failed, so no coordinate was found for the address. The item can be saved without one.
    case lookupFailed
    /// The list contains the same item. It can be saved nevertheless.
    case duplicate
    /// The item has changed or was deleted since the form was opened.
    case changedElsewhere
    /// The server is unreachable.
    case unreachable
    /// The service does not have the operation.
    case unsupported
    case other
  }

  var kind: Kind
  /// A sentence without a full stop and without control characters, with the remedy.
  package var message: String

  /// Creates a failure.
  package init(kind: Kind, message: String) {
    (self.kind, self.message) = (kind, message)
  }
}
