import Testing
import ToDoModel

@Suite struct ItemIDTests {
  @Test func description_ofID_isCanonicalForm() {
    let id = ItemID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
    #expect(id.description == "01234567-89ab-cdef-fedc-ba9876543210")
  }

  @Test func init_withEitherCase_succeeds() {
    let id = ItemID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
    #expect(ItemID("01234567-89AB-cdef-FEDC-ba9876543210") == id)
  }

  @Test(arguments: [
    "", "0123456789abcdeffedcba9876543210", "01234567-89ab-cdef-fedc-ba987654321",
    "01234567-89ab-cdef-fedc-ba98765432100",
    "01234567-89ab-cdef-fedc-ba987654321g", "0123456-789ab-cdef-fedc-ba9876543210",
    "{1234567-89ab-cdef-fedc-ba987654321}",
    "01234567-89ab-cdef-fedc-ba98765432é",
  ])
  func init_whenTextIsInvalid_returnsNil(_ text: String) {
    #expect(ItemID(text) == nil)
  }

  @Test func init_whenAnyDigitIsInvalid_returnsNil() {
    let text = Array("01234567-89ab-cdef-fedc-ba9876543210".utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        let isRight = text[index] == UInt8(ascii: "-") ? byte == text[index] : Character(UnicodeScalar(byte)).isHexDigit
        let id = changed.withUnsafeBytes { ItemID(utf8: $0) }
        guard isRight else {
          #expect(id == nil, "\(byte) at \(index)")
          continue
        }
        #expect(id?.description == String(decoding: changed, as: UTF8.self).lowercased())
      }
    }
  }

  @Test func init_fromDescriptionOfEveryByte_restoresID() {
    for byte in UInt64(0)...255 {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        let id = ItemID(high: byte << shift, low: ~(byte << shift))
        #expect(ItemID(id.description) == id)
        let digits = id.description.filter { $0 != "-" }
        #expect(UInt64(digits.prefix(16), radix: 16) == id.high && UInt64(digits.suffix(16), radix: 16) == id.low)
      }
    }
  }

  @Test func init_withTime_isVersion7AndSortsByTime() {
    var generator = SystemRandomNumberGenerator()
    let earlier = ItemID(time: Timestamp(microseconds: 1_767_225_600_000_000), using: &generator)
    let later = ItemID(time: Timestamp(microseconds: 1_767_225_600_001_000), using: &generator)
    #expect(earlier < later)
    #expect(earlier.high >> 16 == 1_767_225_600_000)
    #expect(earlier.high >> 12 & 0xf == 7)
    #expect(earlier.low >> 62 == 0b10)
  }

  @Test func init_withSameTime_differs() {
    let time = Timestamp(microseconds: 0)
    #expect(Set((0..<1000).map { _ in ItemID(time: time) }).count == 1000)
  }
}
