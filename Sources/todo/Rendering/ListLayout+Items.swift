import ToDoModel

extension ListLayout {
  /// The sections of a listing. What is to do is always there when asked for; what is done when there is some, or when
  /// nothing else is asked for.
  init(_ section: ListSection, toDo: [ToDoItem], done: [ToDoItem], _ rows: ListRows, columns: Int?) {
    var sections: [Section] = []
    if section != .done { sections.append(Section(title: "To do", rows: toDo.map(rows.row))) }
    if section == .done || (section == .all && !done.isEmpty) {
      sections.append(Section(title: "Done", rows: done.map(rows.row)))
    }
    self.init(sections: sections, columns: columns)
  }
}
