import CToDoProtos
import Testing
import ToDoProtobufJSON

/// Numbers, Booleans, texts and bytes.
@Suite struct ScalarTests {
  private let json = MessageJSON.allTypes

  @Test(arguments: [
    (#"{"int32Field":-1}"#, "08ffffffffffffffffff01"), (#"{"sint32Field":-1}"#, "1001"),
    (#"{"sfixed32Field":-2}"#, "1dfeffffff"), (#"{"int64Field":"9223372036854775807"}"#, "20ffffffffffffffff7f"),
    (#"{"sint64Field":"-9223372036854775808"}"#, "28ffffffffffffffffff01"),
    (#"{"sfixed64Field":"-1"}"#, "31ffffffffffffffff"), (#"{"uint32Field":4294967295}"#, "38ffffffff0f"),
    (#"{"fixed32Field":1}"#, "4501000000"), (#"{"uint64Field":"18446744073709551615"}"#, "48ffffffffffffffffff01"),
    (#"{"fixed64Field":"1"}"#, "510100000000000000"), (#"{"floatField":0.1}"#, "5dcdcccc3d"),
    (#"{"doubleField":0.1}"#, "619a9999999999b93f"), (#"{"boolField":true}"#, "6801"),
    (#"{"stringField":"ä"}"#, "7202c3a4"), (#"{"int32List":[0,1,300]}"#, "aa01040001ac02"),
    (#"{"doubleList":[0,1]}"#, "8202100000000000000000000000000000f03f"),
    (#"{"stringList":["","a"]}"#, "9202009202 0161"),
    (#"{"boolList":[true,false]}"#, "8a02020100"), (#"{"int64Member":"0"}"#, "e00200"),
    (#"{"stringMember":""}"#, "b20300"),
  ])
  func values_areConverted_bothWays(text: String, wire: String) throws {
    #expect(try json.wire(text) == wire.filter { $0 != " " })
    #expect(try json.text(wire) == text)
  }

  @Test(arguments: [
    #"{"int32Field":0}"#, #"{"int32Field":-0}"#, #"{"doubleField":0}"#, #"{"boolField":false}"#, #"{"stringField":""}"#,
    #"{"int64Field":null}"#, #"{"int32List":[]}"#, #"{"int32List":null,"int32Member":null,"int64Member":null}"#,
    #"{}"#, " {\t\r\n} ", #"{"unknown":[{"a":[1,-2.5e3,"\"",null,true,false,{}]}]}"#,
  ])
  func defaults_areOmitted(text: String) throws {
    #expect(try json.wire(text).isEmpty)
  }

  @Test(arguments: [
    (#"{"int32_field":1}"#, #"{"int32Field":1}"#), (#"{"int32\u0046ield":1}"#, #"{"int32Field":1}"#),
    (#"{"int32Field":"1"}"#, #"{"int32Field":1}"#), (#"{"int64Field":1}"#, #"{"int64Field":"1"}"#),
    (#"{"int32Field":1.0}"#, #"{"int32Field":1}"#), (#"{"int32Field":1.5e1}"#, #"{"int32Field":15}"#),
    (#"{"int32Field":100e-2}"#, #"{"int32Field":1}"#), (#"{"int32Field":0e999999999999}"#, "{}"),
    (#"{"uint64Field":1.8446744073709551615e19}"#, #"{"uint64Field":"18446744073709551615"}"#),
    (#"{"doubleField":"1.5"}"#, #"{"doubleField":1.5}"#), (#"{"doubleField":1e-400}"#, "{}"),
    (#"{"doubleField":-0}"#, #"{"doubleField":-0}"#), (#"{"doubleField":5e-324}"#, #"{"doubleField":5e-324}"#),
    (#"{"doubleField":1.7976931348623157E+308}"#, #"{"doubleField":1.7976931348623157e+308}"#),
    (#"{"floatField":3.4028235e38}"#, #"{"floatField":3.4028235e+38}"#),
    (#"{"doubleList":["NaN","Infinity","-Infinity",100]}"#, #"{"doubleList":["NaN","Infinity","-Infinity",100]}"#),
    (#"{"floatList":["NaN","Infinity","-Infinity"]}"#, #"{"floatList":["NaN","Infinity","-Infinity"]}"#),
    (
      #"{"stringField":"\"\\\/\b\f\n\r\t\u0000\u001f\u00e4\ud83d\ude00"}"#,
      "{\"stringField\":\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001fä😀\"}"
    ),
  ])
  func otherForms_areAccepted(text: String, canonical: String) throws {
    #expect(try json.again(text) == canonical)
  }

  @Test(arguments: [
    (#"{"int32Field":2147483648}"#, "int32_field: is out of the range of int32"),
    (#"{"int32Field":1e99999999999999999999}"#, "int32_field: is out of the range of int32"),
    (#"{"uint32Field":-1}"#, "uint32_field: is out of the range of uint32"),
    (#"{"int64Field":"9223372036854775808"}"#, "int64_field: is out of the range of int64"),
    (#"{"uint64Field":18446744073709551616}"#, "uint64_field: is out of the range of uint64"),
    (#"{"uint64Field":1e30}"#, "uint64_field: is out of the range of uint64"),
    (#"{"int32Field":0.5}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":1e-1}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":""}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":" 1"}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":"1 "}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":"0x1"}"#, "int32_field: isn't an integer"),
    (#"{"int32Field":true}"#, "int32_field: expected an integer at byte 14"),
    (#"{"int32Field":01}"#, "expected ',' or '}' at byte 15"),
    (#"{"int32Field":+1}"#, "int32_field: expected an integer at byte 14"),
    (#"{"int32Field":-}"#, "int32_field: expected a number at byte 14"),
    (#"{"int32Field":1.}"#, "int32_field: expected a number at byte 14"),
    (#"{"int32Field":1e}"#, "int32_field: expected a number at byte 14"),
    (#"{"doubleField":1e309}"#, "double_field: is out of the range of double"),
    (#"{"floatField":3.5e38}"#, "float_field: is out of the range of float"),
    (#"{"doubleField":"nan"}"#, "double_field: isn't a number"),
    (#"{"doubleField":NaN}"#, "double_field: expected a number at byte 15"),
    (#"{"boolField":"true"}"#, "bool_field: expected true or false at byte 13"),
    (#"{"boolField":1}"#, "bool_field: expected true or false at byte 13"),
    (#"{"stringField":1}"#, "string_field: expected a string at byte 15"),
    (#"{"int32List":1}"#, "int32_list: expected an array at byte 13"),
    (#"{"int32List":[1,null]}"#, "int32_list[1]: expected an integer at byte 16"),
    (#"{"int32List":[1,]}"#, "int32_list[1]: expected an integer at byte 16"),
    (#"{"stringList":["a",2]}"#, "string_list[1]: expected a string at byte 19"),
    (#"{"int32Field":1,"int32_field":1}"#, "int32_field: occurs twice"),
    (#"{"int32Field":null,"int32Field":1}"#, "int32_field: occurs twice"),
    (#"{"int32Member":0,"int64Member":0}"#, "int64_member: excludes a field that is set too"),
  ])
  func invalidValues_areErrors_thatNameTheField(text: String, description: String) {
    json.expectError(text, description)
  }

  @Test func number_whenLonger_isAnError() throws {
    let zeros = String(repeating: "0", count: 127)
    #expect(try json.again("{\"doubleField\":1.\(zeros.dropLast())}") == #"{"doubleField":1}"#)
    json.expectError("{\"doubleField\":1.\(zeros)}", "double_field: has more than 128 characters")
    json.expectError("{\"int32Field\":\"1.\(zeros)\"}", "int32_field: has more than 128 characters")
  }

  @Test(arguments: [
    ("YQ==", "YQ=="), ("YQ", "YQ=="), ("-_-_", "+/+/"), ("+/+/", "+/+/"), ("YWI=", "YWI="), ("YWI", "YWI="),
    ("YWJj", "YWJj"), ("Y\\u0057Jj", "YWJj"),
  ])
  func bytes_areBase64(text: String, canonical: String) throws {
    #expect(
      try MessageJSON(ttrpc__request__init).again("{\"payload\":\"\(text)\"}") == "{\"payload\":\"\(canonical)\"}")
  }

  @Test(arguments: ["Y", "YWJjZ", "YQ=", "YQ===", "=", "====", "Y=Q=", "YQ==YQ==", "Y Q=", "YQ!="])
  func bytes_whenNotBase64_areAnError(text: String) {
    MessageJSON(ttrpc__request__init).expectError("{\"payload\":\"\(text)\"}", "payload: isn't base64")
  }
}
