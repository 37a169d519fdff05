// `import ToDoTesting` is enough to check a store, a geocoder or a service: its API includes the types in these modules.

@_exported public import ToDoModel
@_exported public import ToDoRules

@_exported public import enum ToDoSupport.Lookup
