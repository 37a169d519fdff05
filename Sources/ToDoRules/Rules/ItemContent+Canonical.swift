package import ToDoModel

extension ItemContent {
  /// The content in canonical form: empty texts are `nil`, no tag is repeated, a calendar rule has a start, and only a coordinate
  /// with an address has a provenance.
  ///
  /// The service canonicalizes content as it receives it, so that stored items can be compared.
  package var canonical: ItemContent {
    var content = self
    content.itemDescription = itemDescription.presence
    content.location?.name = location?.name.presence
    content.location?.address = location?.address.presence
    if hasMarks {
      if tags.count > 1 { content.tags = Tag.unique(tags) }
      if let repetition { content.repetition = repetition.canonical(due: due) }
    }
    if content.location?.coordinate == nil || content.location?.address == nil { content.location?.provenance = nil }
    return content
  }
}

extension String? {
  /// The text, or `nil` if it is empty.
  fileprivate var presence: String? { self?.isEmpty == true ? nil : self }
}
