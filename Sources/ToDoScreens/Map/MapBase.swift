import ToDoModel
import ToDoText

/// The parts of a map that depend on the region and the size only: the coasts, the borders and the towns. Creating them takes
/// several milliseconds, so a screen stores them.
struct MapBase: Equatable, Sendable {
  let region: MapRegion
  let layout: MapLayout
  let frame: MapFrame
  let canvas: BrailleCanvas
  let towns: [PlaceLabel]

  init(of region: MapRegion, _ layout: MapLayout, _ environment: ScreenEnvironment, _ largeTowns: inout LargeTowns) {
    self.region = region
    self.layout = layout
    frame = region.frame(in: layout)
    canvas = MapDrawing.canvas(of: environment.world, in: frame)
    towns = largeTowns.towns(in: frame, environment.labels)
  }

  /// Returns whether both maps show the same region in the same size.
  static func == (left: MapBase, right: MapBase) -> Bool { left.region == right.region && left.layout == right.layout }
}
