/// The optional features of a service that content, an edit, a filter or a call needs.
package struct ItemFeatures: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Tags and priorities.
  package static let marks = ItemFeatures(rawValue: 1)
  /// Steps.
  package static let steps = ItemFeatures(rawValue: 2)
  /// Waiting.
  package static let waiting = ItemFeatures(rawValue: 4)
  /// Repetition.
  package static let repetition = ItemFeatures(rawValue: 8)
  /// Renaming of tags.
  package static let tagRenaming = ItemFeatures(rawValue: 16)
  /// Filters with a text or alternatives.
  package static let combinedFilters = ItemFeatures(rawValue: 32)
  /// Several lists for each user.
  package static let lists = ItemFeatures(rawValue: 64)
  /// Moves of items between lists.
  package static let moves = ItemFeatures(rawValue: 128)
  /// Sharing of lists.
  package static let sharing = ItemFeatures(rawValue: 256)
  /// Reminders.
  package static let reminders = ItemFeatures(rawValue: 512)

  /// The features of a service with capabilities.
  package init(_ capabilities: Set<ServiceInfo.Capability>) {
    self = []
    if capabilities.contains(.tagItems) { insert(.marks) }
    if capabilities.contains(.stepItems) { insert(.steps) }
    if capabilities.contains(.waitItems) { insert(.waiting) }
    if capabilities.contains(.repeatItems) { insert(.repetition) }
    if capabilities.contains(.renameTags) { insert(.tagRenaming) }
    if capabilities.contains(.combineFilters) { insert(.combinedFilters) }
    if capabilities.contains(.lists) { insert(.lists) }
    if capabilities.contains(.moveItems) { insert(.moves) }
    if capabilities.contains(.listSharing) { insert(.sharing) }
    if capabilities.contains(.remindItems) { insert(.reminders) }
  }
}

extension ItemContent {
  /// The features that the content needs.
  package var features: ItemFeatures {
    guard hasMarks else { return [] }
    var features: ItemFeatures = []
    if !tags.isEmpty || priority != nil { features.insert(.marks) }
    if !steps.isEmpty { features.insert(.steps) }
    if waitUntil != nil { features.insert(.waiting) }
    if repetition != nil { features.insert(.repetition) }
    if !reminders.isEmpty { features.insert(.reminders) }
    return features
  }
}

extension ItemEdit {
  /// The features that the edit needs.
  package var features: ItemFeatures {
    var features: ItemFeatures = []
    if tags != nil || priority != .keep { features.insert(.marks) }
    if steps != nil { features.insert(.steps) }
    if waitUntil != .keep { features.insert(.waiting) }
    if repetition != .keep { features.insert(.repetition) }
    if reminders != nil { features.insert(.reminders) }
    return features
  }
}

extension ItemFilter {
  /// The features that the filter needs.
  package var features: ItemFeatures {
    var features: ItemFeatures = []
    if !tags.isEmpty || !priorities.isEmpty { features.insert(.marks) }
    if wait != nil { features.insert(.waiting) }
    if isCombined { features.insert(.combinedFilters) }
    return alternatives.reduce(features) { $0.union($1.features) }
  }
}
