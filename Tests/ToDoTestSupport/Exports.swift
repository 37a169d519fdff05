// The contracts, doubles and clocks that packages with a store or geocoder of their own use, too.

@_exported public import ToDoTesting
