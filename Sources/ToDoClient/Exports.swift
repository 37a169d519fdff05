// `import ToDoClient` is enough to use a client: its API consists of the types of these modules, too.

@_exported public import RPC
@_exported public import TTRPC
@_exported public import TTRPCTransport
@_exported public import ToDoModel
@_exported public import Transport
