import NIOCore
import Protobuf
import RPC

/// What waits for a call's messages, on the connection's event loop.
struct CallReceiver {
  enum Demand { case more, wait }

  let isStream: Bool
  /// Takes a message, valid only during the call; says whether it can take another at once.
  let message: (UnsafeRawBufferPointer, Arena) throws -> Demand
  /// The call has ended: well, or with an error. Nothing follows.
  let end: ((any Error)?) -> Void
}

/// How far a call has come, so that it can be cancelled before it has a stream.
enum CallProgress {
  case waiting
  case cancelled
  case open(StreamID)
}

typealias CallProgressBox = NIOLoopBoundBox<CallProgress>
