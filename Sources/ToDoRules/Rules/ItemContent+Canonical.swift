package import ToDoModel

extension ItemContent {
  /// The same content with absence written in one way: empty texts become `nil`.
  ///
  /// What callers send is made canonical where it enters the service, so that stored items compare.
  package var canonical: ItemContent {
    var content = self
    content.itemDescription = itemDescription.presence
    content.location?.name = location?.name.presence
    content.location?.address = location?.address.presence
    if content.location?.coordinate == nil { content.location?.provenance = nil }
    return content
  }
}

extension String? {
  /// `nil` for an empty text.
  fileprivate var presence: String? { self?.isEmpty == true ? nil : self }
}
