// Runs the checks of connect.md: Checks ENDPOINT TLS-ENDPOINT
//
// The client is the JDK's, over HTTP/2. Without TLS, it would ask for HTTP/2 by `upgrade`, which the server does not answer.

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.type.LatLng;
import example.todo.v1.*;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

final class Checks {
  /** An error of a call: `{"code", "message", "details"}`. */
  static final class CallError extends RuntimeException {
    final String code;
    String reason = "";
    final Set<String> fields = new HashSet<>();

    CallError(String json) throws InvalidProtocolBufferException {
      super(json);
      code = first("\"code\"\\s*:\\s*\"([^\"]+)\"", json);
      var info = detail("google.rpc.ErrorInfo", json);
      if (info != null) reason = ErrorInfo.parseFrom(info).getReason();
      var request = detail("google.rpc.BadRequest", json);
      if (request == null) return;
      for (var violation : BadRequest.parseFrom(request).getFieldViolationsList()) fields.add(violation.getField());
    }

    private static byte[] detail(String type, String json) {
      var value = first("\"type\"\\s*:\\s*\"" + Pattern.quote(type) + "\"\\s*,\\s*\"value\"\\s*:\\s*\"([^\"]*)\"", json);
      return value == null ? null : Base64.getDecoder().decode(value);
    }

    private static String first(String pattern, String text) {
      var matcher = Pattern.compile(pattern).matcher(text);
      return matcher.find() ? matcher.group(1) : null;
    }
  }

  /** A client of ToDoService. */
  static final class Client {
    private final HttpClient http;
    private final String address;
    private final String token;

    Client(HttpClient http, String endpoint, String token) {
      this.http = http;
      this.token = token;
      address = endpoint.replaceFirst("^tcp:", "http:").replaceFirst("^tls:", "https:") + "/todo.v1.ToDoService/";
    }

    private HttpRequest.Builder request(String path) {
      var builder = HttpRequest.newBuilder(URI.create(address + path)).timeout(Duration.ofSeconds(10));
      return token == null ? builder : builder.header("authorization", "Bearer " + token);
    }

    private HttpRequest post(String method, String type, byte[] body, String... headers) {
      var builder = request(method).header("content-type", type).header("connect-protocol-version", "1");
      if (headers.length > 0) builder.headers(headers);
      return builder.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
    }

    /** Returns the response to a call by POST. */
    <T> T call(String method, Message request, Parser<T> parser, String... headers) throws Exception {
      var post = post(method, "application/proto", request.toByteArray(), headers);
      return parsed(http.send(post, BodyHandlers.ofByteArray()), parser);
    }

    <T> CompletableFuture<HttpResponse<byte[]>> start(String method, Message request) {
      return http.sendAsync(post(method, "application/proto", request.toByteArray()), BodyHandlers.ofByteArray());
    }

    /** Returns the response to a call by GET, which has no side effects. */
    <T> T get(String method, Message request, Parser<T> parser) throws Exception {
      var message = Base64.getUrlEncoder().withoutPadding().encodeToString(request.toByteArray());
      var path = method + "?connect=v1&encoding=proto&base64=1&message=" + message;
      return parsed(http.send(request(path).GET().build(), BodyHandlers.ofByteArray()), parser);
    }

    static <T> T parsed(HttpResponse<byte[]> response, Parser<T> parser) throws Exception {
      if (response.statusCode() != 200) throw new CallError(new String(response.body(), "UTF-8"));
      expect(response.version() == HttpClient.Version.HTTP_2, response.version());
      return parser.parseFrom(response.body());
    }

    Watch watch(WatchItemsRequest request) throws Exception {
      var message = request.toByteArray();
      var body = ByteBuffer.allocate(5 + message.length).put((byte) 0).putInt(message.length).put(message).array();
      var response = http.send(post("WatchItems", "application/connect+proto", body), BodyHandlers.ofInputStream());
      expect(response.statusCode() == 200, response.statusCode());
      return new Watch(response.body());
    }
  }

  /** The messages of a watch. To close it cancels it. */
  static final class Watch implements AutoCloseable {
    private final InputStream body;
    private final DataInputStream input;

    Watch(InputStream body) {
      this.body = body;
      input = new DataInputStream(body);
    }

    WatchItemsResponse next() throws IOException {
      var flags = input.readByte();
      var message = new byte[input.readInt()];
      input.readFully(message);
      if (flags != 0) throw new CallError(new String(message, "UTF-8"));
      return WatchItemsResponse.parseFrom(message);
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  interface Check {
    void run() throws Exception;
  }

  static void expect(boolean condition, Object what) {
    if (!condition) throw new AssertionError("expectation failed: " + what);
  }

  static CallError expectError(String code, String reason, Check call) throws Exception {
    try {
      call.run();
    } catch (CallError error) {
      expect(error.code.equals(code) && error.reason.equals(reason), error.getMessage());
      return error;
    }
    throw new AssertionError("expected " + reason + ", but the call succeeded");
  }

  static Item.Builder item(String title) {
    return Item.newBuilder().setId(UUID.randomUUID().toString()).setTitle(title);
  }

  static Client client, stranger, reader, nonsense;

  static Item add(Item.Builder item) throws Exception {
    return client.call("AddItem", AddItemRequest.newBuilder().setItem(item).build(), AddItemResponse.parser()).getItem();
  }

  static void deleteAll() throws Exception {
    var request = DeleteItemsRequest.newBuilder().setSelection(DeleteSelection.DELETE_SELECTION_ALL).build();
    client.call("DeleteItems", request, DeleteItemsResponse.parser());
  }

  static Item get(String id) throws Exception {
    return client.call("GetItem", GetItemRequest.newBuilder().setId(id).build(), GetItemResponse.parser()).getItem();
  }

  static List<Item> list(Client client, ListItemsRequest request) throws Exception {
    return client.get("ListItems", request, ListItemsResponse.parser()).getItemsList();
  }

  static void operations() throws Exception {
    deleteAll();
    var item = item("Buy milk 🥛").setDueTime(Timestamp.newBuilder().setSeconds(1_900_000_000));
    var added = add(item);
    expect(added.getTitle().equals(item.getTitle()) && added.getDueTime().getSeconds() == 1_900_000_000, added);
    expect(get(added.getId()).equals(added), added);
    var update = UpdateItemRequest.newBuilder().setItem(Item.newBuilder().setId(added.getId()).setTitle("Buy oat milk"))
      .setUpdateMask(FieldMask.newBuilder().addPaths("title")).build();
    var edited = client.call("UpdateItem", update, UpdateItemResponse.parser()).getItem();
    expect(edited.getTitle().equals("Buy oat milk") && edited.hasDueTime(), edited);
    var check = CheckItemRequest.newBuilder().setId(added.getId()).build();
    expect(client.call("CheckItem", check, CheckItemResponse.parser()).getItem().getDone(), "done");
    client.call("DeleteItem", DeleteItemRequest.newBuilder().setId(added.getId()).build(), DeleteItemResponse.parser());
    expect(list(client, ListItemsRequest.getDefaultInstance()).isEmpty(), "empty");
  }

  static void getRequest() throws Exception {
    var added = add(item("Read"));
    var request = ListItemsRequest.newBuilder().addNumbers(added.getNumber()).build();
    expect(list(client, request).equals(List.of(added)), "the item");
    expectError("invalid_argument", "INVALID_REQUEST",
      () -> list(client, ListItemsRequest.newBuilder().setPageSize(-1).build()));
  }

  static void details() throws Exception {
    var wrong = item("").setLocation(Location.newBuilder().setCoordinate(LatLng.newBuilder().setLatitude(91)));
    var error = expectError("invalid_argument", "INVALID_ITEM", () -> add(wrong));
    expect(error.fields.equals(Set.of("item.title", "item.location.coordinate.latitude")), error.fields);
    expectError("not_found", "ITEM_NOT_FOUND", () -> get(UUID.randomUUID().toString()));
  }

  static void unauthenticated() throws Exception {
    for (var caller : List.of(stranger, nonsense)) {
      expectError("unauthenticated", "UNAUTHENTICATED", () -> list(caller, ListItemsRequest.getDefaultInstance()));
    }
  }

  static void readOnly() throws Exception {
    list(reader, ListItemsRequest.getDefaultInstance());
    expectError("permission_denied", "READ_ONLY", () -> reader.call(
      "AddItem", AddItemRequest.newBuilder().setItem(item("Not mine to add")).build(), AddItemResponse.parser()));
  }

  static void deadline() throws Exception {
    var request = GeocodeAddressRequest.newBuilder().setAddress("9 Some Street").build();
    expectError("deadline_exceeded", "DEADLINE_EXCEEDED", () -> client.call(
      "GeocodeAddress", request, GeocodeAddressResponse.parser(), "connect-timeout-ms", "10"));
  }

  static void large() throws Exception {
    deleteAll();
    var request = BatchAddItemsRequest.newBuilder();
    for (var number = 0; number < 48; number++) request.addItems(item("Number " + number).setDescription("d".repeat(65_000)));
    expect(client.call("BatchAddItems", request.build(), BatchAddItemsResponse.parser()).getItemsCount() == 48, "48 items");
    deleteAll();
  }

  static void unimplemented() throws Exception {
    expectError("unimplemented", "HTTP_404", () -> client.call(
      "Fly", GetItemRequest.getDefaultInstance(), GetItemResponse.parser()));
  }

  static void concurrent() throws Exception {
    var item = add(item("Concurrent"));
    var request = GetItemRequest.newBuilder().setId(item.getId()).build();
    var calls = new ArrayList<CompletableFuture<HttpResponse<byte[]>>>();
    for (var number = 0; number < 500; number++) {
      // The client opens no more streams than the server permits, and fails the others.
      if (number >= 100) calls.get(number - 100).join();
      calls.add(client.start("GetItem", request));
    }
    for (var call : calls) expect(Client.parsed(call.join(), GetItemResponse.parser()).getItem().equals(item), "the item");
  }

  static void watch() throws Exception {
    var request = WatchItemsRequest.newBuilder().setWithSnapshot(StartWithSnapshot.getDefaultInstance()).build();
    try (var watch = client.watch(request)) {
      while (watch.next().hasSnapshotPage()) {}
      var added = add(item("Seen"));
      expect(watch.next().getChanges().getChanges(0).getPut().getItem().equals(added), "the addition");
    }
  }

  static void cancel() throws Exception {
    var request = WatchItemsRequest.newBuilder().setNow(StartNow.getDefaultInstance()).build();
    // More than a connection may have at a time.
    for (var number = 0; number < 200; number++) {
      try (var watch = client.watch(request)) {
        expect(watch.next().hasProgress(), "the begin");
      }
    }
  }

  static void run(String name, Check check) throws Exception {
    check.run();
    System.out.println("ok " + name);
  }

  public static void main(String[] arguments) throws Exception {
    var keys = KeyStore.getInstance(KeyStore.getDefaultType());
    keys.load(null, null);
    try (var file = Files.newInputStream(Path.of(System.getenv("TODO_CONNECT_CA")))) {
      keys.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    var tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    var http = HttpClient.newBuilder().sslContext(tls).build();
    client = new Client(http, arguments[1], System.getenv("TODO_TOKEN"));
    reader = new Client(http, arguments[1], System.getenv("TODO_READ_ONLY_TOKEN"));
    stranger = new Client(http, arguments[1], null);
    nonsense = new Client(http, arguments[1], "nonsense");

    run("operations", Checks::operations);
    run("GET", Checks::getRequest);
    run("details", Checks::details);
    run("unauthenticated", Checks::unauthenticated);
    run("read only", Checks::readOnly);
    run("deadline", Checks::deadline);
    run("large", Checks::large);
    run("unimplemented", Checks::unimplemented);
    run("concurrent", Checks::concurrent);
    run("watch", Checks::watch);
    run("cancel", Checks::cancel);
    System.exit(0);
  }
}
