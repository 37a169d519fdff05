#if HTTP
import Testing
import ToDoHTTPTransport

/// What endpoints answer.
@Suite struct HTTPEndpointTests {
  @Test func response_byDefault_isEmptyText() {
    let response = HTTPEndpointResponse(status: 204)
    #expect(response.contentType == "text/plain; charset=utf-8")
    #expect(response.body.readableBytes == 0)
  }
}
#endif
