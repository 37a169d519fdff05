import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// The receiver of a call's messages. It belongs to the connection's event loop.
struct CallReceiver {
  enum Demand { case more, wait }

  let isStream: Bool
  /// Receives a message, whose bytes are valid only during the call. Returns whether the receiver can take another one
  /// immediately.
  let message: (UnsafeRawBufferPointer, Arena) throws -> Demand
  /// Called once, when the call has ended, with the error if it failed.
  let end: ((any Error)?) -> Void
}

/// The progress of a call, which makes it possible to cancel the call before it has a stream.
enum CallProgress {
  case waiting
  case cancelled
  case open(StreamID)
}

typealias CallProgressBox = NIOLoopBoundBox<CallProgress>
