import CToDoProtos
import Testing
import ToDoProtobuf
import ToDoRPC

/// The details of an error in `google.rpc.Status`.
@Suite struct ErrorDetailTests {
  private func types(of error: RPCError) -> [String?] {
    let arena = Arena()
    let status = error.status(in: arena).pointee
    return UnsafeBufferPointer(start: status.details, count: status.n_details).map { $0?.pointee.type_url.text }
  }

  @Test func otherDetails_areLast() {
    var error = RPCError(.notFound, reason: "GONE", "no", violations: [.init(field: "id", reason: "is unknown")])
    error.details = [RPCError.Detail(typeURL: "example.com/test.Detail", value: [8, 1])]
    let own = ["type.googleapis.com/google.rpc.ErrorInfo", "type.googleapis.com/google.rpc.BadRequest"]
    #expect(types(of: error) == own + ["example.com/test.Detail"])
    let arena = Arena()
    #expect(error.status(in: arena).pointee.details[2].map { Array($0.pointee.value.buffer) } == [8, 1])
  }

  @Test func errorInfo_withoutReasonAndDomain_isMissing() {
    #expect(types(of: RPCError(.notFound, reason: "", domain: "", "no")).isEmpty)
    #expect(types(of: RPCError(.notFound, reason: "", domain: "d", "no")).count == 1)
  }
}
