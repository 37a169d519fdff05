import ToDoRPC
import ToDoTTRPC

/// The frames that a peer can send on a stream. RC: remote closed, RO: remote open, ND: no data.
enum FrameEvent: String, Name {
  case request = "request"
  case requestClosed = "request+RC"
  case requestOpen = "request+RO"
  case requestClosedOpen = "request+RC+RO"
  case requestNoData = "request+ND"
  case data = "data"
  case dataClosed = "data+RC"
  case dataNoData = "data+ND"
  case dataClosedNoData = "data+RC+ND"
  case dataOtherFlags = "data+RO+0x80"
  case response = "response"
  case responseFlags = "response+RC"
  case zero = "type0"
  case unknown = "type4"

  func header(on id: StreamID, length: Int = 3) -> FrameHeader {
    FrameHeader(length: length, streamID: id, type: type, flags: flags)
  }

  private var type: FrameType {
    switch self {
    case .request, .requestClosed, .requestOpen, .requestClosedOpen, .requestNoData: .request
    case .data, .dataClosed, .dataNoData, .dataClosedNoData, .dataOtherFlags: .data
    case .response, .responseFlags: .response
    case .zero: FrameType(rawValue: 0)
    case .unknown: FrameType(rawValue: 4)
    }
  }

  private var flags: FrameFlags {
    switch self {
    case .request, .data, .response, .zero, .unknown: []
    case .requestClosed, .dataClosed, .responseFlags: .remoteClosed
    case .requestOpen: .remoteOpen
    case .requestClosedOpen: [.remoteClosed, .remoteOpen]
    case .requestNoData, .dataNoData: .noData
    case .dataClosedNoData: [.remoteClosed, .noData]
    case .dataOtherFlags: FrameFlags(rawValue: 0x82)
    }
  }
}
