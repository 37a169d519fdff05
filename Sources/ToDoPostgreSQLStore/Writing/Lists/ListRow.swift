#if PostgreSQL
  import ToDoModel

  /// The counters of a list: one row of the table `list`.
  struct ListRow: Equatable {
    var revision = Revision.initial
    /// The earliest revision after which the feed can be read.
    var floor = Revision.initial
    var itemCount = 0
    /// The size of the list, by `StoredSize`.
    var byteCount = 0
    /// The highest number that any item has had.
    var lastNumber = ItemNumber(0)
  }
#endif
