package import ToDoModel

extension ListLayout {
  /// Creates the sections of a listing. The section of incomplete items is always shown if selected. The section of
  /// completed items is shown if it is not empty, or if it is the only one selected.
  package init(
    _ section: ListSection, doneTitle: String = "Done", toDo: [ToDoItem], done: [ToDoItem], _ rows: ListRows,
    columns: Int?
  ) {
    var sections: [Section] = []
    if section != .done { sections.append(Section(title: "To do", rows: toDo.map(rows.row))) }
    if section == .done || (section == .all && !done.isEmpty) {
      sections.append(Section(title: doneTitle, rows: done.map(rows.row)))
    }
    self.init(sections: sections, columns: columns)
  }
}
