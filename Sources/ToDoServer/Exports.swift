// `import ToDoServer` is enough to embed a server: its API includes the types in these modules.

@_exported public import ToDoModel
@_exported public import ToDoRPC
@_exported public import ToDoRules
@_exported public import ToDoTransport

@_exported public import enum ToDoSupport.Lookup
