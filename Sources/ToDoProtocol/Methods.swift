import CProtos
import TTRPC
package import ToDoModel
import ToDoRules

/// The methods of `todo.v1.ToDoService`, which client and server share. A test holds them against the schema.
package enum ToDoMethods {
  package static let service = "todo.v1.ToDoService"

  package static let addItem = Method(service, "AddItem", .addItemRequest, .item(Todo__V1__AddItemResponse.self))
  package static let batchAddItems = Method(service, "BatchAddItems", .batchAddItemsRequest, .batchAddItemsResponse)
  package static let getItem = Method(
    service, "GetItem", .itemReference(Todo__V1__GetItemRequest.self), .item(Todo__V1__GetItemResponse.self))
  package static let listItems = Method(service, "ListItems", .listItemsRequest, .listItemsResponse)
  package static let updateItem = Method(
    service, "UpdateItem", .updateItemRequest, .item(Todo__V1__UpdateItemResponse.self))
  package static let checkItem = Method(
    service, "CheckItem", .itemReference(Todo__V1__CheckItemRequest.self), .item(Todo__V1__CheckItemResponse.self))
  package static let uncheckItem = Method(
    service, "UncheckItem", .itemReference(Todo__V1__UncheckItemRequest.self),
    .item(Todo__V1__UncheckItemResponse.self))
  package static let deleteItem = Method(
    service, "DeleteItem", .itemReference(Todo__V1__DeleteItemRequest.self), .deleteItemResponse)
  package static let deleteItems = Method(service, "DeleteItems", .deleteItemsRequest, .deleteItemsResponse)
  package static let listNearbyItems = Method(
    service, "ListNearbyItems", .listNearbyItemsRequest, .listNearbyItemsResponse)
  package static let geocodeAddress = Method(
    service, "GeocodeAddress", .geocodeAddressRequest, .geocodeAddressResponse)
  package static let watchItems = Method(service, "WatchItems", .watchItemsRequest, .watchItemsResponse)
  package static let listChanges = Method(service, "ListChanges", .listChangesRequest, .listChangesResponse)
  package static let getServerInfo = getServerInfo(
    frameLength: FrameHeader.maximumLength, calls: ServerStreams.defaultLimit)

  /// As a server answers it that has other limits.
  package static func getServerInfo(frameLength: Int, calls: Int) -> Method<Void, ServiceInfo> {
    Method(
      service, "GetServerInfo", .getServerInfoRequest,
      .getServerInfoResponse(frameLength: frameLength, calls: calls))
  }
}

/// The methods of `grpc.health.v1.Health`.
package enum HealthMethods {
  package static let service = "grpc.health.v1.Health"

  package static let check = Method(service, "Check", .healthCheckRequest, .healthCheckResponse)
  package static let watch = Method(service, "Watch", .healthCheckRequest, .healthCheckResponse)
}

/// The methods of `todo.v1.ConnectionService`.
package enum ConnectionMethods {
  package static let service = "todo.v1.ConnectionService"

  package static let cancelCall = Method(service, "CancelCall", .cancelCallRequest, .cancelCallResponse)
  package static let authenticate = Method(service, "Authenticate", .authenticateRequest, .authenticateResponse)
}
