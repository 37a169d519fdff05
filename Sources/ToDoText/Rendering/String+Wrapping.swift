extension String {
  /// Returns the lines of a text without line breaks, none wider than a number of columns. Lines end at blanks if possible.
  package func wrapped(toWidth limit: Int) -> [String] {
    guard displayWidth > limit else { return [self] }
    var lines: [String] = []
    var (start, index, width) = (startIndex, startIndex, 0)
    var blank: Index?
    /// Ends a line, and continues with the next one.
    func endLine(at end: Index, next: Index) {
      lines.append(String(self[start..<end]))
      (start, index, width, blank) = (next, next, 0, nil)
    }
    while index < endIndex {
      let isBlank = self[index] == " "
      let characterWidth = self[index].displayWidth
      if width + characterWidth > limit, index > start {
        if isBlank {
          endLine(at: index, next: self.index(after: index))
        } else if let blank {
          endLine(at: blank, next: self.index(after: blank))
        } else {
          endLine(at: index, next: index)
        }
      } else {
        if isBlank, index > start { blank = index }
        width += characterWidth
        formIndex(after: &index)
      }
    }
    return lines + [String(self[start...])]
  }
}
