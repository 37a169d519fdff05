// `import ToDoClient` is enough to use a client: its API includes the types in these modules.

@_exported public import ToDoModel
@_exported public import ToDoRPC
@_exported public import ToDoTTRPC
@_exported public import ToDoTTRPCTransport
@_exported public import ToDoTransport
