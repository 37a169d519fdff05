/* Answers each ttrpc request with the same bytes: the floor for GetItem. It has one thread, decodes no message and stores
 * nothing. All responses to one read are one write.
 *
 *   floor tcp:PORT|unix:PATH
 */
#include "frames.h"

#include <poll.h>

/* A response has as many bytes as that of go-ttrpc's GetItem. */
enum { PAYLOAD = 148, FRAME = HEADER + 3 + PAYLOAD };

struct connection {
  int socket;
  size_t used;
  uint8_t input[LARGEST];
};

static uint8_t response[FRAME];
/* Has room for a response to each request of a full input. */
static uint8_t output[LARGEST / HEADER * FRAME];

static void make_response(void) {
  put_number(response, FRAME - HEADER);
  response[8] = RESPONSE;
  /* The field `payload` of ttrpc's message Response, with a length of two bytes. */
  response[HEADER] = 2 << 3 | 2;
  response[HEADER + 1] = (PAYLOAD & 0x7F) | 0x80;
  response[HEADER + 2] = PAYLOAD >> 7;
}

static int listen_on(const char *text) {
  struct address address = parse_address(text);
  int listener = socket(address.any.sa_family, SOCK_STREAM, 0);
  if (listener < 0) fail("socket");
  if (address.any.sa_family == AF_INET) setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  if (bind(listener, &address.any, address.length) || listen(listener, 128)) fail(text);
  return listener;
}

static void accept_one(int events, int listener) {
  struct address address = {0};
  address.length = sizeof address.unix_domain;
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection) fail("calloc");
  connection->socket = accept(listener, &address.any, &address.length);
  if (connection->socket < 0) fail("accept");
  prepare_socket(connection->socket, &address);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(events, EPOLL_CTL_ADD, connection->socket, &event)) fail("epoll_ctl");
}

/* Returns whether the client received everything. */
static bool send_all(int socket, size_t count) {
  for (size_t sent = 0; sent < count;) {
    ssize_t written = send(socket, output + sent, count - sent, MSG_NOSIGNAL);
    if (written >= 0) {
      sent += (size_t)written;
    } else if (errno != EAGAIN || poll(&(struct pollfd){socket, POLLOUT, 0}, 1, 1000) <= 0) {
      return false;
    }
  }
  return true;
}

/* Reads once and answers all complete requests. Returns whether the connection is still in use. */
static bool answer(struct connection *connection) {
  ssize_t received = recv(connection->socket, connection->input + connection->used, LARGEST - connection->used, 0);
  if (received <= 0) return received < 0 && errno == EAGAIN;
  connection->used += (size_t)received;
  size_t start = 0, count = 0;
  while (connection->used - start >= HEADER) {
    const uint8_t *frame = connection->input + start;
    size_t length = HEADER + get_number(frame);
    if (length > LARGEST) return false;
    if (connection->used - start < length) break;
    memcpy(output + count, response, FRAME);
    memcpy(output + count + 4, frame + 4, 4);
    count += FRAME, start += length;
  }
  memmove(connection->input, connection->input + start, connection->used -= start);
  return send_all(connection->socket, count);
}

int main(int count, char **arguments) {
  if (count != 2) return fprintf(stderr, "usage: floor tcp:PORT|unix:PATH\n"), 2;
  make_response();
  int listener = listen_on(arguments[1]), events = epoll_create1(0);
  struct epoll_event ready[64], event = {.events = EPOLLIN, .data.ptr = NULL};
  if (events < 0 || epoll_ctl(events, EPOLL_CTL_ADD, listener, &event)) fail("epoll");
  puts("ready");
  fflush(stdout);
  for (;;) {
    int some = epoll_wait(events, ready, 64, -1);
    for (int index = 0; index < some; index++) {
      struct connection *connection = ready[index].data.ptr;
      if (!connection) {
        accept_one(events, listener);
      } else if (!answer(connection)) {
        close(connection->socket);
        free(connection);
      }
    }
  }
}
