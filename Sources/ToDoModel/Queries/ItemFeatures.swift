/// The optional features of a service that content, an edit, a filter or a call needs.
package struct ItemFeatures: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

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

  /// Filters with exclusions.
  package static let excludingFilters = ItemFeatures(rawValue: 1024)
  /// Watches of several lists.
  package static let listWatches = ItemFeatures(rawValue: 4096)
  /// Watches with a filter.
  package static let filteredWatches = ItemFeatures(rawValue: 8192)

  /// The details of each feature. If a server lacks several features, an error names the first.
  package static let details = ofFields + ofCalls

  private static let ofCalls: [Detail] = [
    Detail(.tagRenaming, .renameTags, reason: "TAG_RENAMING_NOT_SUPPORTED", "renaming of tags"),
    Detail(
      .combinedFilters, .combineFilters, reason: "COMBINED_FILTERS_NOT_SUPPORTED",
      "filters with texts or alternatives"),
    Detail(
      .excludingFilters, .excludeFilters, reason: "EXCLUDING_FILTERS_NOT_SUPPORTED", "filters with exclusions"),
    Detail(.lists, .lists, reason: "LISTS_NOT_SUPPORTED", "several lists"),
    Detail(.moves, .moveItems, reason: "MOVES_NOT_SUPPORTED", "moves between lists"),
    Detail(.sharing, .listSharing, reason: "SHARING_NOT_SUPPORTED", "sharing of lists"),
    Detail(.listWatches, .watchLists, reason: "LIST_WATCHES_NOT_SUPPORTED", "watches of several lists"),
    Detail(
      .filteredWatches, .watchFilters, reason: "FILTERED_WATCHES_NOT_SUPPORTED",
      "watches with filters"),
  ]

  /// The names of a feature in capabilities and errors.
  package struct Detail: Sendable {
    /// The feature.
    package let feature: ItemFeatures
    /// The capability of a service that has the feature.
    package let capability: ServiceInfo.Capability
    /// The reason of the error if a server does not support the feature.
    package let reason: String
    /// The name in the message of that error.
    package let name: String

    init(_ feature: ItemFeatures, _ capability: ServiceInfo.Capability, reason: String, _ name: String) {
      self.feature = feature
      self.capability = capability
      self.reason = reason
      self.name = name
    }
  }

  /// The features of a service with capabilities.
  package init(_ capabilities: Set<ServiceInfo.Capability>) {
    self = []
    for detail in Self.details where capabilities.contains(detail.capability) { insert(detail.feature) }
  }
}

extension ItemContent {
  /// The features that the content needs.
  package var features: ItemFeatures {
    guard hasMarks else { return [] }
    return ItemField.all.reduce(into: []) { features, field in
      if field.editing?.isSet(self) == true { features.formUnion(field.feature) }
    }
  }
}

extension ItemEdit {
  /// The features that the edit needs.
  package var features: ItemFeatures {
    ItemField.all.reduce(into: []) { features, field in
      if field.editing?.isEdited(self) == true { features.formUnion(field.feature) }
    }
  }
}

extension ItemFilter {
  /// The features that the filter needs.
  package var features: ItemFeatures {
    var features: ItemFeatures = []
    if !tags.isEmpty || !priorities.isEmpty { features.insert(.marks) }
    if wait != nil { features.insert(.waiting) }
    if isCombined { features.insert(.combinedFilters) }
    if !exclusions.isEmpty { features.insert(.excludingFilters) }
    return (alternatives + exclusions).reduce(features) { $0.union($1.features) }
  }

  /// The features that a watch with the filter needs.
  package var watchFeatures: ItemFeatures { isEmpty ? [] : features.union(.filteredWatches) }
}
