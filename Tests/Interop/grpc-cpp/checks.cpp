// Runs the checks of grpc.md: checks ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "todo/v1/to_do_service.grpc.pb.h"

using namespace todo::v1;

namespace {

std::unique_ptr<ToDoService::Stub> service;

// Connects to tcp://HOST:PORT or tls://HOST:PORT.
std::unique_ptr<ToDoService::Stub> connect(const std::string &endpoint, std::shared_ptr<grpc::ChannelCredentials> credentials) {
  return ToDoService::NewStub(grpc::CreateChannel(endpoint.substr(endpoint.find("://") + 3), credentials));
}

// The context of a call with a token. Without one, the call is not authenticated.
struct Context : grpc::ClientContext {
  explicit Context(const char *token = std::getenv("TODO_TOKEN"), int milliseconds = 10'000) {
    set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(milliseconds));
    if (token) AddMetadata("authorization", std::string("Bearer ") + token);
  }
};

void expect(bool condition, const std::string &what) {
  if (!condition) throw std::runtime_error("expectation failed: " + what);
}

void succeed(const grpc::Status &status) { expect(status.ok(), status.error_message()); }

struct CallError {
  std::string reason;
  std::map<std::string, std::string> metadata;
  std::set<std::string> fields;
};

// Expects a call to fail with this code, and returns the details.
CallError expect_error(grpc::StatusCode code, const grpc::Status &status) {
  expect(status.error_code() == code, "code " + std::to_string(status.error_code()) + ": " + status.error_message());
  google::rpc::Status details;
  expect(details.ParseFromString(status.error_details()), "the details");
  CallError error;
  for (const auto &detail : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest request;
    if (detail.UnpackTo(&info)) {
      error.reason = info.reason();
      error.metadata.insert(info.metadata().begin(), info.metadata().end());
    } else if (detail.UnpackTo(&request)) {
      for (const auto &violation : request.field_violations()) error.fields.insert(violation.field());
    }
  }
  return error;
}

Item new_item(const std::string &title) {
  static std::random_device random;
  std::string id = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
  for (auto &digit : id) {
    if (digit == 'x') digit = "0123456789abcdef"[random() % 16];
  }
  Item item;
  item.set_id(id);
  item.set_title(title);
  return item;
}

grpc::Status add(const Item &item, AddItemResponse &response, Context &&context = Context()) {
  AddItemRequest request;
  *request.mutable_item() = item;
  return service->AddItem(&context, request, &response);
}

grpc::Status get_info(Context &&context = Context()) {
  GetServerInfoResponse response;
  return service->GetServerInfo(&context, {}, &response);
}

void delete_all() {
  Context context;
  DeleteItemsRequest request;
  DeleteItemsResponse response;
  request.set_selection(DELETE_SELECTION_ALL);
  succeed(service->DeleteItems(&context, request, &response));
}

void operations() {
  delete_all();
  Item item = new_item("Buy milk 🥛");
  item.mutable_due_time()->set_seconds(1'900'000'000);
  AddItemResponse added;
  succeed(add(item, added));
  expect(added.item().title() == item.title() && added.item().due_time().seconds() == 1'900'000'000, "the item");
  {
    Context context;
    UpdateItemRequest request;
    UpdateItemResponse response;
    request.mutable_item()->set_id(item.id());
    request.mutable_item()->set_title("Buy oat milk");
    request.mutable_update_mask()->add_paths("title");
    succeed(service->UpdateItem(&context, request, &response));
    expect(response.item().title() == "Buy oat milk" && response.item().has_due_time(), "the edited item");
  }
  {
    Context context;
    CheckItemRequest request;
    CheckItemResponse response;
    request.set_id(item.id());
    succeed(service->CheckItem(&context, request, &response));
    expect(response.item().done(), "done");
  }
  {
    Context context;
    DeleteItemRequest request;
    DeleteItemResponse response;
    request.set_id(item.id());
    succeed(service->DeleteItem(&context, request, &response));
  }
  Context context;
  GetItemRequest request;
  GetItemResponse response;
  request.set_id(item.id());
  auto error = expect_error(grpc::NOT_FOUND, service->GetItem(&context, request, &response));
  expect(error.reason == "ITEM_NOT_FOUND", error.reason);
}

void details() {
  Item item = new_item("");
  item.mutable_location()->mutable_coordinate()->set_latitude(91);
  AddItemResponse response;
  auto error = expect_error(grpc::INVALID_ARGUMENT, add(item, response));
  expect(error.reason == "INVALID_ITEM", error.reason);
  expect(error.fields == std::set<std::string>{"item.title", "item.location.coordinate.latitude"}, "the fields");
}

void unauthenticated() {
  for (const char *token : {static_cast<const char *>(nullptr), "nonsense"}) {
    auto error = expect_error(grpc::UNAUTHENTICATED, get_info(Context(token)));
    expect(error.reason == "UNAUTHENTICATED", error.reason);
  }
}

void read_only() {
  const char *reader = std::getenv("TODO_READ_ONLY_TOKEN");
  succeed(get_info(Context(reader)));
  AddItemResponse response;
  auto error = expect_error(grpc::PERMISSION_DENIED, add(new_item("Not mine to add"), response, Context(reader)));
  expect(error.reason == "READ_ONLY", error.reason);
}

void deadline() {
  Context context(std::getenv("TODO_TOKEN"), 10);
  GeocodeAddressRequest request;
  GeocodeAddressResponse response;
  request.set_address("11 Some Street");
  auto status = service->GeocodeAddress(&context, request, &response);
  expect(status.error_code() == grpc::DEADLINE_EXCEEDED, status.error_message());
}

void too_large() {
  AddItemResponse response;
  auto error = expect_error(grpc::RESOURCE_EXHAUSTED, add(new_item(std::string(5 << 20, 'x')), response));
  expect(error.reason == "MESSAGE_TOO_LARGE" && error.metadata["max_bytes"] == std::to_string(4 << 20), error.reason);
  succeed(get_info());
}

void large() {
  delete_all();
  Context context;
  BatchAddItemsRequest request;
  BatchAddItemsResponse response;
  for (int number = 0; number < 48; number++) {
    *request.add_items() = new_item("Number " + std::to_string(number));
    request.mutable_items(number)->set_description(std::string(65'000, 'd'));
  }
  succeed(service->BatchAddItems(&context, request, &response));
  expect(response.items_size() == 48, "48 items");
  delete_all();
}

void watch() {
  Context context;
  WatchItemsRequest request;
  WatchItemsResponse response;
  request.mutable_with_snapshot();
  auto reader = service->WatchItems(&context, request);
  do expect(reader->Read(&response), "the snapshot");
  while (response.has_snapshot_page());
  AddItemResponse added;
  succeed(add(new_item("Seen"), added));
  expect(reader->Read(&response) && response.changes().changes(0).put().item().id() == added.item().id(), "the addition");
  context.TryCancel();
}

void cancel() {
  for (int number = 0; number < 200; number++) {
    Context context;
    WatchItemsRequest request;
    WatchItemsResponse response;
    request.mutable_now();
    auto reader = service->WatchItems(&context, request);
    expect(reader->Read(&response) && response.has_progress(), "the begin");
    context.TryCancel();
    while (reader->Read(&response)) {}
    expect(reader->Finish().error_code() == grpc::CANCELLED, "cancelled");
  }
}

void tls(const std::string &endpoint) {
  std::ifstream file(std::getenv("TODO_GRPC_CA"));
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = std::string(std::istreambuf_iterator<char>(file), {});
  GetServerInfoResponse response;
  Context context;
  succeed(connect(endpoint, grpc::SslCredentials(options))->GetServerInfo(&context, {}, &response));
  Context stranger(std::getenv("TODO_TOKEN"), 2'000);
  auto status = connect(endpoint, grpc::SslCredentials({}))->GetServerInfo(&stranger, {}, &response);
  expect(status.error_code() == grpc::UNAVAILABLE, "a client that does not trust the certificate connects");
}

}  // namespace

int main(int, char **arguments) {
  service = connect(arguments[1], grpc::InsecureChannelCredentials());
  const std::vector<std::pair<std::string_view, std::function<void()>>> checks = {
      {"operations", operations},
      {"details", details},
      {"unauthenticated", unauthenticated},
      {"read only", read_only},
      {"deadline", deadline},
      {"too large", too_large},
      {"large", large},
      {"watch", watch},
      {"cancel", cancel},
      {"tls", [&] { tls(arguments[2]); }},
  };
  for (const auto &[name, check] : checks) {
    try {
      check();
    } catch (const std::exception &error) {
      std::cout << name << ": " << error.what() << std::endl;
      return 1;
    }
    std::cout << "ok " << name << std::endl;
  }
}
