import CToDoProtos
import ToDoProtobuf

/// The health of a server, or of one service.
package enum HealthStatus: Equatable, Sendable {
  case unknown, serving, notServing, serviceUnknown
}

extension Codec where Value == String {
  /// A service's name, or an empty string for the whole server.
  static var healthCheckRequest: Codec {
    Codec(grpc__health__v1__health_check_request__init) { message in
      try message.service.text("service")
    } encode: { service, message, arena in
      message.pointee.service = arena.bytes(service)
    }
  }
}

extension Codec where Value == HealthStatus {
  static var healthCheckResponse: Codec {
    Codec(grpc__health__v1__health_check_response__init) { message in
      switch message.status {
      case GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING: .serving
      case GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__NOT_SERVING: .notServing
      case GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN: .serviceUnknown
      default: .unknown
      }
    } encode: { status, message, _ in
      message.pointee.status =
        switch status {
        case .unknown: GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__UNKNOWN
        case .serving: GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING
        case .notServing: GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__NOT_SERVING
        case .serviceUnknown: GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN
        }
    }
  }
}
