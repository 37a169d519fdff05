import Testing

@testable import ToDoText

@Suite struct LabelPlacementTests {
  private func cell(_ column: Int, _ row: Int) -> MapCell { MapCell(column: column, row: row) }

  @Test func place_prefersRightThenLeftThenBelowThenAbove() {
    var placement = LabelPlacement(columns: 20, rows: 3)
    placement.occupy(cell(10, 1))
    let places = (0..<5).map { _ in placement.place(width: 4, beside: cell(10, 1)) }
    #expect(places == [cell(11, 1), cell(6, 1), cell(8, 2), cell(8, 0), nil])
  }

  @Test func place_atTheEdges_staysInside() {
    var placement = LabelPlacement(columns: 10, rows: 2)
    #expect(placement.place(width: 4, beside: cell(9, 0)) == cell(5, 0))
    #expect(placement.place(width: 9, beside: cell(0, 1)) == cell(1, 1))
    #expect(placement.place(width: 11, beside: cell(5, 0)) == nil)
  }

  @Test func place_leavesSpaceBetweenLabels() {
    var placement = LabelPlacement(columns: 12, rows: 1)
    #expect(placement.place(width: 4, beside: cell(0, 0)) == cell(1, 0))
    #expect((0..<12).filter { placement.isNearOccupied(cell($0, 0)) } == Array(0...5))
    #expect(placement.place(width: 3, beside: cell(8, 0)) == cell(9, 0))
    #expect(placement.place(width: 3, beside: cell(7, 0)) == nil)
  }

  @Test func place_whenGapIsSet_leavesGap() {
    var placement = LabelPlacement(columns: 12, rows: 1)
    placement.occupy(cell(5, 0))
    #expect(placement.place(width: 4, beside: cell(5, 0), gap: 1) == cell(7, 0))
    #expect(placement.place(width: 4, beside: cell(5, 0), gap: 1) == cell(0, 0))
  }

  @Test func place_whenCellsAreOccupied_neverOverlaps() {
    var placement = LabelPlacement(columns: 30, rows: 8)
    var covered = Set<MapCell>()
    for number in 0..<200 {
      let width = 3 + number % 5
      guard let start = placement.place(width: width, beside: cell(number * 7 % 30, number * 5 % 8)) else { continue }
      for column in start.column..<start.column + width { #expect(covered.insert(cell(column, start.row)).inserted) }
    }
    #expect(covered.count > 60)
  }
}
