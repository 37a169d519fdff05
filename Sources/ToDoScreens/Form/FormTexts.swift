import ToDoText

/// The texts of the input form's fields.
struct FormTexts: Equatable, Sendable {
  private var fields: [TextField]

  init(_ form: EditForm) {
    fields = FormField.allCases.map { field in
      TextField(form[text: field], limit: field.limit, isMultiline: field.isMultiline)
    }
  }

  subscript(field: FormField) -> TextField { fields[field.rawValue] }

  /// Changes a field in place. A subscript would copy the text.
  mutating func change<Value>(_ field: FormField, _ body: (inout TextField) -> Value) -> Value {
    body(&fields[field.rawValue])
  }

  /// Returns a form with these texts. Its coordinate remains.
  func form(replacing original: EditForm) -> EditForm {
    var form = original
    for field in FormField.allCases { form[text: field] = self[field].text }
    return form
  }

  /// Returns a form to save: changed texts of one line without white space around them. Its coordinate remains.
  func formToSave(replacing original: EditForm) -> EditForm {
    var form = form(replacing: original)
    for field in FormField.allCases where !field.isMultiline && form[text: field] != original[text: field] {
      form[text: field] = form[text: field].oneLine
    }
    return form
  }
}
