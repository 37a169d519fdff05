#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC
import ToDoSupport
import ToDoTransport

/// Serves one request of an endpoint.
final class EndpointCall: Exchange, ConnectionCall {
  private let endpoint: any HTTPEndpoint
  private let request: HTTPRequest
  private let limits: ServerLimits
  private unowned let output: any ExchangeConnection
  private let connection: ConnectionCalls
  let client: NetworkAddress?
  private let metadata: Metadata
  private var body = ByteBuffer()
  private var meteredBytes = 0
  private var isEnded = false
  private var task: Task<Void, Never>?
  private var deadlineTimer: Scheduled<Void>?

  init(
    _ endpoint: any HTTPEndpoint, _ request: HTTPRequest, _ limits: ServerLimits, _ output: any ExchangeConnection,
    _ connection: ConnectionCalls
  ) {
    self.endpoint = endpoint
    self.request = request
    self.limits = limits
    self.output = output
    self.connection = connection
    metadata = Metadata(request.headers)
    client = connection.client(of: metadata)
  }

  private var bodyLimit: Int { min(endpoint.maximumBodySize, connection.messageLimit) }

  func begin() {
    if let length = request.body.length, length > bodyLimit { return reject(.bodyTooLarge) }
    output.acceptBody()
  }

  func receive(_ bytes: ByteBuffer) {
    guard !isEnded, task == nil else { return }
    body.writeImmutableBuffer(bytes)
    measure()
    if body.readableBytes > bodyLimit || connection.isShareExceeded { reject(.bodyTooLarge) }
  }

  func endInput() {
    guard !isEnded, task == nil else { return }
    // The responses of other requests are waiting for the client to read them.
    if connection.isOutputFull(for: client) {
      return connection.waitForOutput(self, for: client) { [weak self] in self?.endInput() }
    }
    let (pairs, bytes) = (limits.maximumMetadataPairs, limits.maximumMetadataSize)
    let size = metadata.pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard metadata.pairs.count <= pairs, size <= bytes else { return reject(.headTooLarge) }
    do {
      var endpointRequest = HTTPEndpointRequest(
        method: request.method, query: request.query, body: body, acceptsGzip: CallHead.acceptsGzip(request.headers),
        call: try connection.context(metadata, stream: output.requestNumber))
      let types = request.headers["content-type"]
      if types.count == 1 { endpointRequest.contentType = types[0] }
      endpointRequest.browser = BrowserRequest(
        request, isForwardedByTLS: request.isForwardedByTLS(on: connection))
      start(endpointRequest)
    } catch {
      end(HTTPResponse(error))
    }
  }

  private func start(_ request: HTTPEndpointRequest) {
    guard connection.runningCalls < limits.maximumStreams else {
      return end(HTTPResponse(.tooManyStreams(limit: limits.maximumStreams)))
    }
    let (handle, endpoint) = (ExchangeHandle(self, connection.executor), endpoint)
    deadlineTimer = connection.executor.eventLoop.assumeIsolated().scheduleTask(
      in: TimeAmount(limits.defaultDeadline)
    ) { self.end(HTTPResponse(.deadlineExceeded)) }
    let state = NIOLoopBound(connection, eventLoop: connection.executor.eventLoop)
    connection.beginCall(isStreaming: false)
    task = Task {
      let response = await endpoint.respond(to: request)
      handle.perform { $0.end(HTTPResponse(response)) }
      handle.execute { state.value.endCall(isStreaming: false) }
    }
  }

  /// An endpoint checks credentials itself.
  func end(_ error: (CallContext) -> RPCError?) {}

  private func end(_ response: HTTPResponse) {
    guard !isEnded else { return }
    abandon()
    output.respond(response)
  }

  private func reject(_ rejection: HTTPRejection) {
    abandon()
    output.reject(rejection)
  }

  func resumeSending() {}

  func quiesce() {}

  func abandon() {
    isEnded = true
    task?.cancel()
    deadlineTimer?.cancel()
    connection.stopWaiting(self)
    body = ByteBuffer()
    measure()
  }

  private func measure() {
    guard body.readableBytes != meteredBytes else { return }
    connection.hold(body.readableBytes - meteredBytes)
    meteredBytes = body.readableBytes
  }
}

extension HTTPResponse {
  /// The response of an endpoint.
  fileprivate init(_ response: HTTPEndpointResponse) {
    self.init(status: response.status, contentType: response.contentType, body: response.body)
    headers = response.headers.map { ($0.key, $0.value) }
  }
}
#endif
