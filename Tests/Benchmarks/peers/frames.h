/* ttrpc's frames, and the addresses of servers: tcp:PORT on the loopback interface, or unix:PATH. */
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The header has the length of the data, the stream, the type and the flags. */
enum { HEADER = 10, REQUEST = 1, RESPONSE = 2 };
/* The largest frame that the programs read. */
enum { LARGEST = 1 << 16 };

struct address {
  union {
    struct sockaddr any;
    struct sockaddr_in tcp;
    struct sockaddr_un unix_domain;
  };
  socklen_t length;
};

static inline void fail(const char *what) {
  perror(what);
  exit(1);
}

static inline struct address parse_address(const char *text) {
  struct address address = {0};
  int port;
  if (sscanf(text, "tcp:%d", &port) == 1) {
    address.tcp.sin_family = AF_INET;
    address.tcp.sin_port = htons((uint16_t)port);
    address.tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.length = sizeof address.tcp;
  } else if (sscanf(text, "unix:%107s", address.unix_domain.sun_path) == 1) {
    address.unix_domain.sun_family = AF_UNIX;
    address.length = sizeof address.unix_domain;
  } else {
    fprintf(stderr, "%s is neither tcp:PORT nor unix:PATH\n", text);
    exit(2);
  }
  return address;
}

/* Makes reads and writes return at once, and sends each write at once. */
static inline void prepare_socket(int socket, const struct address *address) {
  if (fcntl(socket, F_SETFL, O_NONBLOCK)) fail("fcntl");
  if (address->any.sa_family == AF_INET) setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

static inline uint32_t get_number(const uint8_t *bytes) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return ntohl(number);
}

static inline void put_number(uint8_t *bytes, uint32_t number) {
  number = htonl(number);
  memcpy(bytes, &number, sizeof number);
}
