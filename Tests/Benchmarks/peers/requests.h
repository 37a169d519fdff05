/* The requests: templates with places for the stream and for what differs. */
#pragma once

#include "frames.h"

#include <time.h>

enum operation { FILL, GET, ADD };
/* The items that FILL adds, which the Go servers also have from the start. REQUEST_BYTES is the most that a request has. */
enum { ITEMS = 10000, REQUEST_BYTES = 512 };
/* The number of an item is the last 12 digits of its ID. */
#define FIRST_ID "00000000-0000-7000-8000-000000000000"
#define TITLE "Buy oat milk and bread 000000000000"
enum { ID_LENGTH = sizeof FIRST_ID - 1, DIGITS = 12 };

struct text {
  size_t length;
  uint8_t bytes[REQUEST_BYTES];
};

static struct {
  struct text frame;
  size_t id, title;
} get_template, add_template;

static void append_number(struct text *text, uint64_t number) {
  for (; number > 0x7F; number >>= 7) text->bytes[text->length++] = (uint8_t)number | 0x80;
  text->bytes[text->length++] = (uint8_t)number;
}

static void append_bytes(struct text *text, int field, const void *bytes, size_t length) {
  append_number(text, (uint64_t)field << 3 | 2);
  append_number(text, length);
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

static void append_string(struct text *text, int field, const char *string) {
  append_bytes(text, field, string, strlen(string));
}

static void append_double(struct text *text, int field, double number) {
  append_number(text, (uint64_t)field << 3 | 1);
  memcpy(text->bytes + text->length, &number, sizeof number);
  text->length += sizeof number;
}

static struct text make_frame(const char *method, const struct text *payload) {
  struct text frame = {.length = HEADER};
  append_string(&frame, 1, "todo.v1.ToDoService");
  append_string(&frame, 2, method);
  append_bytes(&frame, 3, payload->bytes, payload->length);
  put_number(frame.bytes, (uint32_t)frame.length - HEADER);
  frame.bytes[8] = REQUEST;
  return frame;
}

static size_t find(const struct text *text, const char *string) {
  return (size_t)((const uint8_t *)memmem(text->bytes, text->length, string, strlen(string)) - text->bytes);
}

static void prepare_requests(void) {
  struct text get = {0}, add = {0}, item = {0}, due = {0}, location = {0}, coordinate = {0};
  append_string(&get, 1, FIRST_ID);
  get_template.frame = make_frame("GetItem", &get);
  get_template.id = find(&get_template.frame, FIRST_ID);

  append_number(&due, 1 << 3);
  append_number(&due, 1800000000);
  append_double(&coordinate, 1, 59.3293);
  append_double(&coordinate, 2, 18.0686);
  append_string(&location, 1, "Corner shop");
  append_bytes(&location, 3, coordinate.bytes, coordinate.length);
  append_string(&item, 1, FIRST_ID);
  append_string(&item, 2, TITLE);
  append_string(&item, 3, "Two litres, one sourdough loaf");
  append_bytes(&item, 4, due.bytes, due.length);
  append_bytes(&item, 6, location.bytes, location.length);
  append_bytes(&add, 1, item.bytes, item.length);
  add_template.frame = make_frame("AddItem", &add);
  add_template.id = find(&add_template.frame, FIRST_ID);
  add_template.title = find(&add_template.frame, TITLE) + strlen(TITLE) - DIGITS;
}

static void put_digits(uint8_t *bytes, uint64_t number, int count) {
  for (; count > 0; number >>= 4) bytes[--count] = (uint8_t) "0123456789abcdef"[number & 15];
}

static uint64_t random_number(void) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* Writes an ID of version 7, which begins with the time and ends at random. */
static void put_new_id(uint8_t *bytes) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t milliseconds = (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
  put_digits(bytes, milliseconds >> 16, 8);
  put_digits(bytes + 9, milliseconds, 4);
  put_digits(bytes + 15, random_number() >> 20, 3);
  put_digits(bytes + 20, random_number() >> 20, 3);
  put_digits(bytes + 24, random_number() >> 16, DIGITS);
}

/* Writes a request and returns its length. The number distinguishes items. */
static size_t put_request(uint8_t *bytes, enum operation operation, uint32_t stream, uint64_t number) {
  const struct text *frame = operation == GET ? &get_template.frame : &add_template.frame;
  memcpy(bytes, frame->bytes, frame->length);
  put_number(bytes + 4, stream);
  if (operation == GET) {
    put_digits(bytes + get_template.id + ID_LENGTH - DIGITS, random_number() % ITEMS, DIGITS);
    return frame->length;
  }
  if (operation == FILL) {
    put_digits(bytes + add_template.title, number, DIGITS);
    put_digits(bytes + add_template.id + ID_LENGTH - DIGITS, number, DIGITS);
  } else {
    put_digits(bytes + add_template.title, number | (uint64_t)1 << 40, DIGITS);
    put_new_id(bytes + add_template.id);
  }
  return frame->length;
}

static uint64_t read_number(const uint8_t **position, const uint8_t *end) {
  uint64_t number = 0;
  for (int shift = 0; *position < end && shift < 64; shift += 7) {
    uint8_t byte = *(*position)++;
    number |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return number;
}

/* Whether ttrpc's message Response has a payload and no status, or a status whose code is 0. */
static bool is_success(const uint8_t *position, const uint8_t *end) {
  bool has_payload = false;
  while (position < end) {
    uint64_t key = read_number(&position, end), length = read_number(&position, end);
    if ((key & 7) != 2 || length > (uint64_t)(end - position)) return false;
    if (key >> 3 == 1 && length > 1 && position[0] == 1 << 3 && position[1] != 0) return false;
    has_payload |= key >> 3 == 2 && length > 0;
    position += length;
  }
  return has_payload;
}
