/* Loads a ttrpc server in one thread, and prints how it did as a line of JSON: the rate, times in microseconds, and the
 * microseconds of CPU that a request costs the server and this program.
 *
 *   load tcp:PORT|unix:PATH fill                    adds the items that 'get' requests
 *   load tcp:PORT|unix:PATH get|add CONNECTIONS IN-FLIGHT SECONDS SERVER-PID [RATE]
 *
 * It measures after a second of warm-up. Each response is replaced by a request, unless there is a rate: then requests are
 * due at fixed times, from which the times count. 'get' requests one of the items at random, 'add' adds items with new IDs and
 * titles. All requests that one read makes due are one write.
 */
#include "frames.h"

#include <time.h>

#include "histogram.h"
#include "requests.h"

/* Streams that a connection remembers. */
enum { STREAMS = 1 << 12, OUTPUT = 1 << 20, MOST_CONNECTIONS = 256 };

struct connection {
  int socket;
  bool awaits_output;
  uint32_t next_stream, in_flight;
  size_t input_used, output_used;
  struct {
    uint32_t stream;
    uint64_t due;
  } requests[STREAMS];
  uint8_t input[LARGEST], output[OUTPUT];
};

static struct connection *connections[MOST_CONNECTIONS];
static int connection_count, in_flight, events;
static enum operation operation;
/* With a rate: the nanoseconds from one request to the next, and when the next one is due. */
static double interval, next_due;
static struct {
  uint64_t sent, received, errors;
  struct histogram times;
} counts;

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time)) fail("clock_gettime");
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct connection *make_connection(const char *text) {
  struct address address = parse_address(text);
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection) fail("calloc");
  connection->socket = socket(address.any.sa_family, SOCK_STREAM, 0);
  if (connection->socket < 0 || connect(connection->socket, &address.any, address.length)) fail(text);
  prepare_socket(connection->socket, &address);
  connection->next_stream = 1;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(events, EPOLL_CTL_ADD, connection->socket, &event)) fail("epoll_ctl");
  return connection;
}

static void send_output(struct connection *connection) {
  size_t sent = 0;
  while (sent < connection->output_used) {
    ssize_t written = send(connection->socket, connection->output + sent, connection->output_used - sent, MSG_NOSIGNAL);
    if (written < 0 && errno == EAGAIN) break;
    if (written < 0) fail("send");
    sent += (size_t)written;
  }
  memmove(connection->output, connection->output + sent, connection->output_used -= sent);
  if ((connection->output_used > 0) == connection->awaits_output) return;
  connection->awaits_output = !connection->awaits_output;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (connection->awaits_output) event.events |= EPOLLOUT;
  if (epoll_ctl(events, EPOLL_CTL_MOD, connection->socket, &event)) fail("epoll_ctl");
}

static void add_request(struct connection *connection, uint64_t due) {
  if (OUTPUT - connection->output_used < REQUEST_BYTES) {
    fprintf(stderr, "load: the server reads too slowly\n");
    exit(1);
  }
  uint32_t stream = connection->next_stream;
  connection->next_stream += 2;
  connection->requests[stream / 2 % STREAMS].stream = stream;
  connection->requests[stream / 2 % STREAMS].due = due;
  connection->output_used += put_request(connection->output + connection->output_used, operation, stream, counts.sent++);
  connection->in_flight++;
}

static void handle_response(struct connection *connection, const uint8_t *frame, size_t length, uint64_t now) {
  uint32_t stream = get_number(frame + 4);
  if (frame[8] != RESPONSE || connection->requests[stream / 2 % STREAMS].stream != stream) {
    fprintf(stderr, "load: an unexpected frame of type %d in stream %u\n", frame[8], stream);
    exit(1);
  }
  connection->requests[stream / 2 % STREAMS].stream = 0;
  connection->in_flight--;
  counts.received++;
  counts.errors += !is_success(frame + HEADER, frame + length);
  record(&counts.times, now - connection->requests[stream / 2 % STREAMS].due);
}

/* Reads once. Requests replace the responses, up to a limit of all requests. */
static void handle_input(struct connection *connection, uint64_t limit) {
  ssize_t received =
      recv(connection->socket, connection->input + connection->input_used, LARGEST - connection->input_used, 0);
  if (received < 0 && errno == EAGAIN) return;
  if (received <= 0) fail("the server closed a connection");
  connection->input_used += (size_t)received;
  uint64_t now = nanoseconds(CLOCK_MONOTONIC);
  size_t start = 0;
  while (connection->input_used - start >= HEADER) {
    size_t length = HEADER + get_number(connection->input + start);
    if (length > LARGEST) fail("a response is too large");
    if (connection->input_used - start < length) break;
    handle_response(connection, connection->input + start, length, now);
    if (counts.sent < limit) add_request(connection, now);
    start += length;
  }
  memmove(connection->input, connection->input + start, connection->input_used -= start);
}

/* Sends what is due, to the connections in turns. A connection with too many requests delays all later ones. */
static void send_due_requests(uint64_t now) {
  for (; next_due <= (double)now; next_due += interval) {
    struct connection *connection = connections[counts.sent % (uint64_t)connection_count];
    if (connection->in_flight >= (uint32_t)in_flight) return;
    add_request(connection, (uint64_t)next_due);
    send_output(connection);
  }
}

/* Sends requests and receives responses, until a time or until all of a number of requests are answered. */
static void work(uint64_t end, uint64_t limit) {
  struct epoll_event ready[64];
  for (uint64_t now; (now = nanoseconds(CLOCK_MONOTONIC)) < end && counts.received < limit;) {
    if (interval > 0) send_due_requests(now);
    int some = epoll_wait(events, ready, 64, interval > 0 ? 0 : 100);
    for (int index = 0; index < some; index++) {
      struct connection *connection = ready[index].data.ptr;
      if (ready[index].events & ~(uint32_t)EPOLLOUT) handle_input(connection, interval > 0 ? 0 : limit);
      send_output(connection);
    }
  }
}

static void start_requests(void) {
  uint64_t now = nanoseconds(CLOCK_MONOTONIC);
  next_due = (double)now;
  for (int index = 0; index < connection_count && interval == 0; index++) {
    for (int number = 0; number < in_flight; number++) add_request(connections[index], now);
    send_output(connections[index]);
  }
}

static void measure(double seconds, int server) {
  clockid_t server_clock;
  if (clock_getcpuclockid(server, &server_clock)) fail("clock_getcpuclockid");
  work(nanoseconds(CLOCK_MONOTONIC) + 1000000000, UINT64_MAX);
  uint64_t sent = counts.sent, start = nanoseconds(CLOCK_MONOTONIC);
  memset(&counts, 0, sizeof counts);
  /* The numbers of new items go on. */
  counts.sent = sent;
  uint64_t server_cpu = nanoseconds(server_clock), own_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  work(start + (uint64_t)(seconds * 1e9), UINT64_MAX);
  double count = (double)counts.received, time = (double)(nanoseconds(CLOCK_MONOTONIC) - start);
  if (count == 0) fail("no responses");
  printf("{\"rate\": %.1f, \"p50\": %.2f, \"p99\": %.2f, \"server\": %.4f, \"client\": %.4f, \"errors\": %llu}\n",
         count / time * 1e9, percentile(&counts.times, 0.5) / 1e3, percentile(&counts.times, 0.99) / 1e3,
         (double)(nanoseconds(server_clock) - server_cpu) / 1e3 / count,
         (double)(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - own_cpu) / 1e3 / count, (unsigned long long)counts.errors);
}

static int usage(void) {
  fprintf(stderr, "usage: load ADDRESS fill\n       load ADDRESS get|add CONNECTIONS IN-FLIGHT SECONDS SERVER-PID [RATE]\n");
  return 2;
}

int main(int count, char **arguments) {
  bool is_fill = count == 3 && !strcmp(arguments[2], "fill");
  if (!is_fill && (count < 7 || count > 8)) return usage();
  operation = is_fill ? FILL : !strcmp(arguments[2], "add") ? ADD : GET;
  connection_count = is_fill ? 4 : atoi(arguments[3]), in_flight = is_fill ? 64 : atoi(arguments[4]);
  if (connection_count < 1 || connection_count > MOST_CONNECTIONS || in_flight < 1 || in_flight >= STREAMS) return usage();
  if (count == 8) interval = 1e9 / atof(arguments[7]);
  prepare_requests();
  events = epoll_create1(0);
  for (int index = 0; index < connection_count; index++) connections[index] = make_connection(arguments[1]);
  start_requests();
  if (is_fill) {
    work(UINT64_MAX, ITEMS);
  } else {
    measure(atof(arguments[5]), atoi(arguments[6]));
  }
  if (counts.errors) fprintf(stderr, "load: %llu requests failed\n", (unsigned long long)counts.errors);
  return counts.errors > 0;
}
