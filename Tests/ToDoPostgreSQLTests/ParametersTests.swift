#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import Testing
import ToDoTestSupport

/// Values of parameters and columns.
@Suite(.blocking) struct ParametersTests {
  private let connection: PostgreSQLConnection

  init() throws { connection = try PrivatePostgreSQL.run().connection() }

  private func row(_ sql: SQL, _ append: (inout Parameters) -> Void) throws -> Rows {
    var parameters = Parameters()
    append(&parameters)
    return try connection.run(sql, parameters)
  }

  @Test func integers_atLimits_roundTrip() throws {
    for value in [.min, -1, 0, 1, .max] as [Int64] {
      #expect(try row("SELECT $1") { $0.append(value) }.int64(0, 0) == value)
    }
    for value in [.min, -1, 0, 1, .max] as [Int32] {
      #expect(try row("SELECT $1") { $0.append(value) }.int32(0, 0) == value)
    }
    for value in [.min, -1, 0, 1, .max] as [Int16] {
      #expect(try row("SELECT $1") { $0.append(value) }.int16(0, 0) == value)
    }
  }

  @Test func otherValues_roundTrip() throws {
    let bytes: [UInt8] = [0, 255, 1, 92]
    let rows = try row("SELECT $1, $2, $3, $4, $5, $6, $7") {
      $0.append(true)
      $0.append(-0.1)
      $0.append("Größe 🎉'\\")
      $0.append("")
      $0.append(bytes: bytes)
      $0.append(bytes: [])
      $0.append(uuid: (0x0123_4567_89ab_cdef, .max))
    }
    #expect(rows.bool(0, 0))
    #expect(rows.double(0, 1) == -0.1)
    #expect(rows.text(0, 2) == "Größe 🎉'\\")
    #expect(rows.text(0, 3) == "")
    #expect(rows.bytes(0, 4) == bytes)
    #expect(rows.withBytes(0, 4) { Array($0) } == bytes)
    #expect(rows.bytes(0, 5) == [])
    #expect(rows.uuid(0, 6) == (0x0123_4567_89ab_cdef, .max))
    #expect(!rows.isMalformed)
  }

  @Test func uuid_hasTextualFormOfItsHalves() throws {
    let rows = try row("SELECT $1::text") { $0.append(uuid: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)) }
    #expect(rows.text(0, 0) == "01234567-89ab-cdef-fedc-ba9876543210")
  }

  @Test func null_ofEachType_roundTrips() throws {
    let rows = try row("SELECT $1, $2, $3, $4, $5, $6, $7, $8") {
      $0.append(nil as Int64?)
      $0.append(nil as Int32?)
      $0.append(nil as Int16?)
      $0.append(nil as Bool?)
      $0.append(nil as Double?)
      $0.append(nil as String?)
      $0.append(bytes: nil)
      $0.append(uuid: nil)
    }
    #expect(rows.optionalInt64(0, 0) == nil && rows.optionalInt32(0, 1) == nil && rows.optionalInt16(0, 2) == nil)
    #expect(rows.optionalBool(0, 3) == nil && rows.optionalDouble(0, 4) == nil && rows.optionalText(0, 5) == nil)
    #expect(rows.optionalBytes(0, 6) == nil && rows.optionalUUID(0, 7) == nil)
    #expect((0..<8).allSatisfy { rows.isNull(0, $0) })
    #expect(!rows.isMalformed)
  }

  @Test func arrays_withNilElements_roundTrip() throws {
    let rows = try row("SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)") {
      $0.append(array: [.min, nil, 3] as [Int64?])
      $0.append(array: [.min, nil, 3] as [Int32?])
      $0.append(array: [.min, nil, 3] as [Int16?])
      $0.append(array: [true, nil, false])
      $0.append(array: [0.5, nil, -1])
      $0.append(array: ["", nil, "a,\"{}"])
      $0.append(array: [[], nil, [0, 1]] as [[UInt8]?])
      $0.append(array: [(1, 2), nil, (.max, 4)] as [(UInt64, UInt64)?])
    }
    #expect((0..<3).map { rows.optionalInt64($0, 0) } == [.min, nil, 3])
    #expect((0..<3).map { rows.optionalInt32($0, 1) } == [.min, nil, 3])
    #expect((0..<3).map { rows.optionalInt16($0, 2) } == [.min, nil, 3])
    #expect((0..<3).map { rows.optionalBool($0, 3) } == [true, nil, false])
    #expect((0..<3).map { rows.optionalDouble($0, 4) } == [0.5, nil, -1])
    #expect((0..<3).map { rows.optionalText($0, 5) } == ["", nil, "a,\"{}"])
    #expect((0..<3).map { rows.optionalBytes($0, 6) } == [[], nil, [0, 1]])
    #expect((0..<3).map { rows.optionalUUID($0, 7)?.0 } == [1, nil, .max])
    #expect((0..<3).map { rows.optionalUUID($0, 7)?.1 } == [2, nil, 4])
    #expect(rows.count == 3 && !rows.isMalformed)
  }

  @Test func array_whenEmpty_hasNoElements() throws {
    let rows = try row("SELECT cardinality($1), cardinality($2)") {
      $0.append(array: [] as [Int64?])
      $0.append(array: [] as [String?])
    }
    #expect(rows.int32(0, 0) == 0 && rows.int32(0, 1) == 0)
  }

  @Test func text_whenItContainsNUL_isRejected() throws {
    #expect(throws: PostgreSQLError.self) { try row("SELECT $1") { $0.append("a\0b") } }
    #expect(try row("SELECT $1") { $0.append("ab") }.text(0, 0) == "ab")
  }

  @Test func run_whenSameTextHasOtherTypes_preparesAnotherStatement() throws {
    #expect(try row("SELECT $1") { $0.append("1") }.text(0, 0) == "1")
    #expect(try row("SELECT $1") { $0.append(1 as Int64) }.int64(0, 0) == 1)
    #expect(try row("SELECT $1") { $0.append("2") }.text(0, 0) == "2")
  }

  @Test func column_ofAnotherTypeOrWithoutValue_isMalformed() throws {
    func isMalformed(_ isEmpty: (Rows) -> Bool) throws -> Bool {
      let rows = try connection.run("SELECT 1::int4, NULL::int8, 'a'")
      return isEmpty(rows) && rows.isMalformed
    }
    #expect(try !isMalformed { $0.int32(0, 0) == 1 })
    #expect(try isMalformed { $0.int64(0, 0) == 0 })
    #expect(try isMalformed { $0.int64(0, 1) == 0 })
    #expect(try isMalformed { $0.bytes(0, 2) == [] })
    #expect(try isMalformed { $0.withBytes(0, 1) { $0.count } == 0 })
    #expect(try isMalformed { $0.int32(1, 0) == 0 })
    #expect(try isMalformed { $0.int32(0, 3) == 0 })
    #expect(try isMalformed { $0.int32(-1, -1) == 0 })
    #expect(throws: PostgreSQLError.malformedResult) {
      let rows = try connection.run("SELECT 1")
      _ = rows.bool(0, 0)
      try rows.checkIsWellFormed()
    }
  }
}
#endif
