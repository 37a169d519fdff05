#if PostgreSQL
/// The data types that parameters and columns have, by the object IDs that PostgreSQL gives them: `pg_type.dat`.
enum DataType: UInt32 {
  case bool = 16
  case bytea = 17
  case name = 19
  case int8 = 20
  case int2 = 21
  case int4 = 23
  case text = 25
  case float8 = 701
  case bpchar = 1042
  case varchar = 1043
  case uuid = 2950

  /// The object ID of the array type; a parameter's elements have one of these types.
  var arrayID: UInt32 {
    switch self {
    case .bool: 1000
    case .bytea: 1001
    case .name: 1003
    case .int2: 1005
    case .int4: 1007
    case .text: 1009
    case .bpchar: 1014
    case .varchar: 1015
    case .int8: 1016
    case .float8: 1022
    case .uuid: 2951
    }
  }
}
#endif
