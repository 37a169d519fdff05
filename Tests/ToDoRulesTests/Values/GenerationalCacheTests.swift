import Testing
import ToDoRules

@Suite struct GenerationalCacheTests {
  @Test func insert_whenLimitIsExceeded_evictsUnusedValues() {
    var values = GenerationalCache<Int, String>(costLimit: 20)
    for key in 1...100 {
      values.insert("\(key)", for: key, cost: 1)
      #expect(values[1] == "1")
    }
    #expect(values[50] == nil)
    #expect(values[100] == "100")
    #expect((1...100).count { values[$0] != nil } <= 20)
  }

  @Test func insert_whenKeyExists_replacesValue() {
    var values = GenerationalCache<Int, String>(costLimit: 4)
    for text in ["a", "b", "c", "d", "e"] { values.insert(text, for: 1, cost: 1) }
    values.insert("other", for: 2, cost: 1)
    #expect(values[1] == "e")
    values.insert("third", for: 3, cost: 1)
    values.remove(1)
    #expect(values[1] == nil)
  }

  @Test func insert_whenValueIsTooLarge_removesKey() {
    var values = GenerationalCache<Int, String>(costLimit: 10)
    values.insert("small", for: 1, cost: 1)
    values.insert("large", for: 1, cost: 6)
    #expect(values[1] == nil)
  }
}
