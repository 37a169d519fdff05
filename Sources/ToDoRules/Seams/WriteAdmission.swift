/// What a server can find out about the writes of a list without suspending, in addition to what every `ToDoService` offers.
package protocol WriteAdmission: Sendable {
  /// Verifies that the list's next write would be admitted, so that a large request need not be decoded in vain.
  ///
  /// - Throws: `ToDoError.writeRateExceeded`.
  func checkWriteRate() throws
}
