// `import ToDoTesting` is enough to check a store, a geocoder or a service: its API consists of the types of these modules, too.

@_exported public import ToDoModel
@_exported public import ToDoRules

@_exported public import enum ToDoSupport.Lookup
