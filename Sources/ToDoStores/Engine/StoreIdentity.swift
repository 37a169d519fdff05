package import ToDoModel
package import ToDoRules

/// The random values of a store.
package struct StoreIdentity: Equatable, Sendable {
  /// The incarnation of all lists.
  package let incarnation: ListIncarnation
  /// The key of all stored fingerprints, which never changes.
  package let fingerprintKey: FingerprintKey

  /// Creates the identity of a store.
  package init(incarnation: ListIncarnation, fingerprintKey: FingerprintKey) {
    self.incarnation = incarnation
    self.fingerprintKey = fingerprintKey
  }
}
