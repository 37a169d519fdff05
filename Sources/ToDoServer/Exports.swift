// `import ToDoServer` is enough to embed a server: its API consists of the types of these modules, too.

@_exported public import ToDoModel
@_exported public import ToDoRPC
@_exported public import ToDoRules
@_exported public import ToDoTransport

@_exported public import enum ToDoSupport.Lookup
