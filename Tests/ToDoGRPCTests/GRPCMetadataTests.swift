#if GRPC
  import GRPCCore
  import TTRPC
  import Testing

  @testable import ToDoGRPC

  @Suite struct GRPCMetadataTests {
    @Test(arguments: [
      ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
      ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("0n", .zero), ("99999999H", .seconds(359_999_996_400)),
    ])
    func timeout_isANumberAndAUnit(_ text: String, _ timeout: Duration) {
      #expect((["grpc-timeout": .string(text)] as GRPCCore.Metadata).callTimeout == timeout)
    }

    @Test(arguments: ["", "1", "S", "1s", "-1S", "1.5S", "100000000S", "1 S"])
    func timeout_whenItCannotBeRead_isNone(_ text: String) {
      #expect((["grpc-timeout": .string(text)] as GRPCCore.Metadata).callTimeout == nil)
    }

    @Test func timeout_whenThereIsNone_isNone() { #expect(GRPCCore.Metadata().callTimeout == nil) }

    @Test func metadata_isPassedOn_inOrder_withoutWhatIsTheWires() {
      let metadata: GRPCCore.Metadata = [
        "a": "1", ":path": "/x", "a": "2", "grpc-encoding": "gzip", "todo-connection": "1", "b-bin": .binary([1, 2]),
      ]
      var expected = TTRPC.Metadata()
      for (key, value) in [("a", "1"), ("a", "2"), ("b-bin", "AQI=")] { expected.append(key, value) }
      #expect(TTRPC.Metadata(metadata) == expected)
    }
  }
#endif
