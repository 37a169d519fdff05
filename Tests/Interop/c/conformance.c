/* Runs the checks of conformance.md: conformance TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "grpc/health/v1/health.pb-c.h"
#include "todo/v1/changes.pb-c.h"
#include "todo/v1/lists.pb-c.h"
#include "todo/v1/connection_service.pb-c.h"
#include "todo/v1/to_do_service.pb-c.h"
#include "ttrpc.h"

/* The memory that a check receives or allocates. It is freed when the check ends. */
static struct block { struct block *next; } *blocks;

static void *allocate(void *data, size_t size) {
  struct block *block = calloc(1, sizeof *block + size);
  if (!block) abort();
  block->next = blocks;
  blocks = block;
  return block + 1;
}

static void free_nothing(void *data, void *pointer) {}

static ProtobufCAllocator pool = {allocate, free_nothing, NULL};

static void free_all(void) {
  while (blocks) {
    struct block *block = blocks;
    blocks = block->next;
    free(block);
  }
}

#define EXPECT(condition) \
  ((condition) ? (void)0 : (printf("line %d: expectation failed: %s (%s %s)\n", __LINE__, #condition, ttrpc_error.reason, ttrpc_error.message), exit(1)))

/* CALL(connection, GetItem, get_item, .id = id): the response, or NULL. */
#define CALL(connection, Method, method, ...) CALL_OF("todo.v1.ToDoService", connection, Method, method, __VA_ARGS__)
#define CALL_OF(service, connection, Method, method, ...)                                                   \
  ((Todo__V1__##Method##Response *)ttrpc_call(                                                              \
      connection, service, #Method,                                                                         \
      &(Todo__V1__##Method##Request){PROTOBUF_C_MESSAGE_INIT(&todo__v1__##method##_request__descriptor),    \
                                     __VA_ARGS__}                                                           \
           .base,                                                                                           \
      &todo__v1__##method##_response__descriptor, &pool))

/* GET is a CALL that must succeed. EXPECT_ERROR is a CALL that must fail with a reason. */
#define GET(...) ({ typeof(CALL(__VA_ARGS__)) response_ = CALL(__VA_ARGS__); EXPECT(response_); response_; })
#define GET_LISTS(...) ({ typeof(CALL_OF("todo.v1.ListService", __VA_ARGS__)) response_ = CALL_OF("todo.v1.ListService", __VA_ARGS__); EXPECT(response_); response_; })
#define EXPECT_ERROR(reason_, ...) ({ EXPECT(!CALL(__VA_ARGS__)); EXPECT(!strcmp(ttrpc_error.reason, reason_)); })

static const char *metadata(const char *key) {
  for (size_t i = 0; i < ttrpc_error.n_metadata; i++)
    if (!strcmp(ttrpc_error.metadata[i].key, key)) return ttrpc_error.metadata[i].value;
  return "";
}

static bool names(const char *field) {
  for (size_t i = 0; i < ttrpc_error.n_fields; i++)
    if (!strcmp(ttrpc_error.fields[i], field)) return true;
  return false;
}

static char *new_id(char text[37]) {
  uint8_t random[16];
  if (getrandom(random, 16, 0) != 16) abort();
  random[6] = (random[6] & 0x0f) | 0x40, random[8] = (random[8] & 0x3f) | 0x80;
  for (int i = 0, at = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
    at += sprintf(text + at, "%02x", random[i]);
  }
  return text;
}

static Todo__V1__Item *new_item(const char *title) {
  Todo__V1__Item *item = allocate(NULL, sizeof *item);
  todo__v1__item__init(item);
  item->id = new_id(allocate(NULL, 37));
  item->title = (char *)title;
  return item;
}

static Google__Type__LatLng *coordinate(double latitude, double longitude) {
  Google__Type__LatLng *coordinate = allocate(NULL, sizeof *coordinate);
  google__type__lat_lng__init(coordinate);
  coordinate->latitude = latitude, coordinate->longitude = longitude;
  return coordinate;
}

static Todo__V1__Location *location(const char *address, Google__Type__LatLng *coordinate) {
  Todo__V1__Location *location = allocate(NULL, sizeof *location);
  todo__v1__location__init(location);
  if (address) location->address = (char *)address;
  location->coordinate = coordinate;
  return location;
}

static char *repeated(char letter, size_t count) {
  char *text = allocate(NULL, count + 1);
  memset(text, letter, count);
  return text;
}

static char *text(const char *format, int number) {
  char *text = allocate(NULL, 64);
  snprintf(text, 64, format, number);
  return text;
}

static bool equal(const ProtobufCMessage *left, const ProtobufCMessage *right) {
  size_t size = protobuf_c_message_get_packed_size(left);
  if (size != protobuf_c_message_get_packed_size(right)) return false;
  uint8_t *bytes = allocate(NULL, 2 * size);
  protobuf_c_message_pack(left, bytes), protobuf_c_message_pack(right, bytes + size);
  return !memcmp(bytes, bytes + size, size);
}

static struct ttrpc server;
static const char *tcp, *unix_socket, *without_geocoder;

/* The item that all checks share. It is not deleted. */
static char full_id[37];
static Todo__V1__Item *full_item(void) {
  Todo__V1__Item *item = new_item("Buy milk");
  Google__Protobuf__Timestamp *time = allocate(NULL, sizeof *time);
  google__protobuf__timestamp__init(time);
  time->seconds = 1900000000, time->nanos = 500000000;
  item->id = full_id, item->description = "Two bottles";
  item->due_case = TODO__V1__ITEM__DUE_DUE_TIME, item->due_time = time;
  item->location = location("1 High Street", coordinate(-33.5, 151.25));
  item->location->name = "Shop";
  return item;
}
static Todo__V1__Item *added(Todo__V1__Item *item) { return GET(&server, AddItem, add_item, .item = item)->item; }
static int64_t revision(void) { return GET(&server, ListItems, list_items, .page_size = 1)->revision; }

static int health(const char *service) {
  Grpc__Health__V1__HealthCheckRequest request = GRPC__HEALTH__V1__HEALTH_CHECK_REQUEST__INIT;
  request.service = (char *)service;
  Grpc__Health__V1__HealthCheckResponse *response = ttrpc_call(
      &server, "grpc.health.v1.Health", "Check", &request.base, &grpc__health__v1__health_check_response__descriptor, &pool);
  return response ? (int)response->status : -1;
}

static void serving(void) {
  EXPECT(health("") == GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING);
  EXPECT(health("todo.v1.ToDoService") == GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING);
}

static void info(void) {
  Todo__V1__GetServerInfoResponse *info = GET(&server, GetServerInfo, get_server_info, );
  EXPECT(*info->server_version && !strcmp(info->geocoder_attribution, "Invented places") && info->n_capabilities == 22);
  EXPECT(info->limits->max_frame_bytes == 4 << 20 && info->limits->max_page_size == 1000);
  EXPECT(info->limits->max_batch_size == 500);
}

static void empty(void) {
  GET(&server, DeleteItems, delete_items, .selection = TODO__V1__DELETE_SELECTION__DELETE_SELECTION_ALL);
  EXPECT(GET(&server, ListItems, list_items, )->n_items == 0);
}

static void add(void) {
  Todo__V1__Item *sent = full_item(), *stored = added(sent);
  EXPECT(!strcmp(stored->id, sent->id) && !strcmp(stored->title, sent->title));
  EXPECT(!strcmp(stored->description, sent->description) && equal(&stored->due_time->base, &sent->due_time->base));
  EXPECT(equal(&stored->location->coordinate->base, &sent->location->coordinate->base));
  EXPECT(stored->create_time->seconds > 0 && !stored->done && stored->revision == revision());
}

static void add_again(void) { EXPECT(equal(&added(full_item())->base, &added(full_item())->base)); }

static void get(void) {
  EXPECT(equal(&GET(&server, GetItem, get_item, .id = full_id)->item->base, &added(full_item())->base));
  char upper[37] = "";
  for (int i = 0; i < 36; i++) upper[i] = (char)toupper(full_id[i]);
  EXPECT(!strcmp(GET(&server, GetItem, get_item, .id = upper)->item->id, full_id));
}

static void emoji(void) {
  const char *title = "Тест テスト 🦊👩‍👩‍👧‍👦 e\u0301 \u202e";
  EXPECT(!strcmp(added(new_item(title))->title, title));
}

static void due_date(void) {
  Todo__V1__Item *item = new_item("Someday");
  Google__Type__Date date = GOOGLE__TYPE__DATE__INIT;
  date.year = 2031, date.month = 2, date.day = 28;
  item->due_case = TODO__V1__ITEM__DUE_DUE_DATE, item->due_date = &date;
  EXPECT(equal(&added(item)->due_date->base, &date.base));
}

static Todo__V1__BatchAddItemsResponse *add_batch(int count, const char *format, const char *description) {
  Todo__V1__Item **items = allocate(NULL, (size_t)count * sizeof *items);
  for (int i = 0; i < count; i++) {
    items[i] = new_item(text(format, i));
    items[i]->description = (char *)(description ? description : items[i]->id);
  }
  return CALL(&server, BatchAddItems, batch_add_items, .n_items = (size_t)count, .items = items);
}

static void batch(void) {
  Todo__V1__BatchAddItemsResponse *response = add_batch(250, "Number %d", "");
  EXPECT(response && response->n_items == 250 && response->items[0]->revision == response->items[249]->revision);
}

static void numbers(void) {
  Todo__V1__BatchAddItemsResponse *added = add_batch(3, "Numbered %d", "");
  int64_t first = added->items[0]->number;
  EXPECT(first > 0 && added->items[1]->number == first + 1 && added->items[2]->number == first + 2);
  int64_t wanted[] = {first + 2, INT64_C(1) << 40, first};
  Todo__V1__ListItemsResponse *found = GET(&server, ListItems, list_items, .n_numbers = 3, .numbers = wanted);
  EXPECT(found->n_items == 2);
  size_t last = found->items[1]->number == first ? 0 : 1; /* All were added at one time, so their IDs order them. */
  EXPECT(equal(&found->items[1 - last]->base, &added->items[0]->base));
  EXPECT(equal(&found->items[last]->base, &added->items[2]->base));
  for (size_t i = 0; i < 3; i++) GET(&server, DeleteItem, delete_item, .id = added->items[i]->id);
}

static int by_text(const void *left, const void *right) { return strcmp(*(char **)left, *(char **)right); }

static void pages(void) {
  char *seen[1000], *token = "";
  size_t count = 0;
  do {
    Todo__V1__ListItemsResponse *page = GET(&server, ListItems, list_items, .page_size = 100, .page_token = token);
    for (size_t i = 0; i < page->n_items; i++) seen[count++] = page->items[i]->id;
    token = page->next_page_token;
  } while (*token);
  EXPECT(count == 253);
  qsort(seen, count, sizeof *seen, by_text);
  for (size_t i = 1; i < count; i++) EXPECT(strcmp(seen[i - 1], seen[i]));
}

static void filter(void) {
  EXPECT(GET(&server, ListItems, list_items, .text = "24 nUMBER", .page_size = 1000)->n_items == 13);
  EXPECT(GET(&server, ListItems, list_items, .state = TODO__V1__STATE_FILTER__STATE_FILTER_DONE)->n_items == 0);
}

static void check(void) {
  Todo__V1__Item *item = GET(&server, CheckItem, check_item, .id = full_id)->item;
  EXPECT(item->done && item->complete_time);
  EXPECT(GET(&server, ListItems, list_items, .state = TODO__V1__STATE_FILTER__STATE_FILTER_DONE)->n_items == 1);
}

static void uncheck(void) {
  Todo__V1__Item *item = GET(&server, UncheckItem, uncheck_item, .id = full_id)->item;
  EXPECT(!item->done && !item->complete_time);
}

static void update(void) {
  char *paths[] = {"title", "description"};
  Google__Protobuf__FieldMask mask = GOOGLE__PROTOBUF__FIELD_MASK__INIT;
  mask.n_paths = 2, mask.paths = paths;
  Todo__V1__Item *change = new_item("Buy oat milk");
  change->id = full_id;
  Todo__V1__Item *item = GET(&server, UpdateItem, update_item, .item = change, .update_mask = &mask)->item;
  EXPECT(!strcmp(item->title, "Buy oat milk") && !*item->description && item->due_time->seconds == 1900000000);
}

static Todo__V1__ListItemsResponse *filtered(Todo__V1__TagFilter *tags, size_t n_priorities) {
  Todo__V1__Priority high = TODO__V1__PRIORITY__PRIORITY_HIGH;
  Todo__V1__ItemFilter filter = TODO__V1__ITEM_FILTER__INIT;
  filter.tags = tags, filter.n_priorities = n_priorities, filter.priorities = &high;
  return GET(&server, ListItems, list_items, .filter = &filter, .page_size = 1000);
}

static void tags(void) {
  char *sent[] = {"Shop", "shop", "work/urgent"}, *work[] = {"WORK"}, *shop[] = {"shop"}, *spaced[] = {"a b"};
  Todo__V1__Item *item = new_item("Tagged"), *change = new_item(""), *wrong = new_item("Wrong");
  item->n_tags = 3, item->tags = sent, item->priority = TODO__V1__PRIORITY__PRIORITY_HIGH;
  item = added(item);
  EXPECT(item->n_tags == 2 && !strcmp(item->tags[0], "Shop") && !strcmp(item->tags[1], "work/urgent"));
  EXPECT(item->priority == TODO__V1__PRIORITY__PRIORITY_HIGH);
  Todo__V1__TagFilter all = TODO__V1__TAG_FILTER__INIT, none = TODO__V1__TAG_FILTER__INIT;
  all.n_all = 1, all.all = work, none.n_none = 1, none.none = shop;
  Todo__V1__ListItemsResponse *tagged = filtered(&all, 0), *high = filtered(NULL, 1), *others = filtered(&none, 0);
  EXPECT(tagged->n_items == 1 && equal(&tagged->items[0]->base, &item->base));
  EXPECT(high->n_items == 1 && equal(&high->items[0]->base, &item->base));
  EXPECT(others->n_items > 0);
  for (size_t i = 0; i < others->n_items; i++) EXPECT(strcmp(others->items[i]->id, item->id));
  char *paths[] = {"tags", "priority"};
  Google__Protobuf__FieldMask mask = GOOGLE__PROTOBUF__FIELD_MASK__INIT;
  mask.n_paths = 2, mask.paths = paths;
  change->id = item->id;
  Todo__V1__Item *bare = GET(&server, UpdateItem, update_item, .item = change, .update_mask = &mask)->item;
  EXPECT(bare->n_tags == 0 && bare->priority == TODO__V1__PRIORITY__PRIORITY_UNSPECIFIED);
  GET(&server, DeleteItem, delete_item, .id = item->id);
  wrong->n_tags = 1, wrong->tags = spaced;
  EXPECT_ERROR("INVALID_ITEM", &server, AddItem, add_item, .item = wrong);
  EXPECT(ttrpc_error.n_fields == 1 && names("item.tags[0]"));
}

static Todo__V1__Item *edited(Todo__V1__Item *change, char *path) {
  Google__Protobuf__FieldMask mask = GOOGLE__PROTOBUF__FIELD_MASK__INIT;
  mask.n_paths = 1, mask.paths = &path;
  return GET(&server, UpdateItem, update_item, .item = change, .update_mask = &mask)->item;
}

static void steps(void) {
  Todo__V1__Step pack = TODO__V1__STEP__INIT, go = TODO__V1__STEP__INIT, blank = TODO__V1__STEP__INIT;
  Todo__V1__Step *both[] = {&pack, &go}, *second[] = {&go}, *bad[] = {&go, &blank};
  pack.text = "Pack", pack.done = 1, go.text = "Go", blank.text = " ";
  Todo__V1__Item *item = new_item("Trip"), *change = new_item(""), *wrong = new_item("Wrong");
  item->n_steps = 2, item->steps = both;
  item = added(item);
  EXPECT(item->n_steps == 2 && !strcmp(item->steps[0]->text, "Pack") && item->steps[0]->done && !item->steps[1]->done);
  change->id = item->id, change->n_steps = 1, change->steps = second;
  Todo__V1__Item *changed = edited(change, "steps");
  EXPECT(changed->n_steps == 1 && !strcmp(changed->steps[0]->text, "Go") && !strcmp(changed->title, "Trip"));
  GET(&server, DeleteItem, delete_item, .id = item->id);
  wrong->n_steps = 2, wrong->steps = bad;
  EXPECT_ERROR("INVALID_ITEM", &server, AddItem, add_item, .item = wrong);
  EXPECT(ttrpc_error.n_fields == 1 && names("item.steps[1].text"));
}

static void reminders(void) {
  Google__Protobuf__Timestamp due = GOOGLE__PROTOBUF__TIMESTAMP__INIT, told = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
  Todo__V1__Reminder hour = TODO__V1__REMINDER__INIT, evening = TODO__V1__REMINDER__INIT;
  Todo__V1__DayTrigger day = TODO__V1__DAY_TRIGGER__INIT;
  Todo__V1__Reminder *both[] = {&hour, &evening};
  due.seconds = 1900000000, told.seconds = 1899996400;
  hour.trigger_case = TODO__V1__REMINDER__TRIGGER_SECONDS_BEFORE, hour.seconds_before = 3600;
  day.days_before = 1, day.minute_of_day = 1080, day.time_zone = "Europe/Berlin";
  evening.trigger_case = TODO__V1__REMINDER__TRIGGER_DAY, evening.day = &day;
  Todo__V1__Item *item = new_item("Reminds"), *change = new_item(""), *wrong = new_item("Wrong");
  item->due_case = TODO__V1__ITEM__DUE_DUE_TIME, item->due_time = &due;
  item->n_reminders = 2, item->reminders = both;
  item = added(item);
  EXPECT(item->n_reminders == 2 && item->reminders[0]->seconds_before == 3600);
  EXPECT(item->reminders[1]->trigger_case == TODO__V1__REMINDER__TRIGGER_DAY);
  EXPECT(item->reminders[1]->day->minute_of_day == 1080);
  hour.acknowledged_time = &told;
  change->id = item->id, change->n_reminders = 1, change->reminders = both;
  Todo__V1__Item *changed = edited(change, "reminders");
  EXPECT(changed->n_reminders == 1 && changed->reminders[0]->acknowledged_time->seconds == told.seconds);
  EXPECT(!strcmp(changed->title, "Reminds"));
  GET(&server, DeleteItem, delete_item, .id = item->id);
  wrong->n_reminders = 1, wrong->reminders = both;
  EXPECT_ERROR("INVALID_ITEM", &server, AddItem, add_item, .item = wrong);
  EXPECT(ttrpc_error.n_fields == 1 && names("item.reminders[0].seconds_before"));
}

static size_t waiting_at(int64_t seconds) {
  Google__Protobuf__Timestamp time = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
  Todo__V1__WaitFilter wait = TODO__V1__WAIT_FILTER__INIT;
  Todo__V1__ItemFilter filter = TODO__V1__ITEM_FILTER__INIT;
  time.seconds = seconds, wait.time = &time, wait.waiting = 1, filter.wait = &wait;
  return GET(&server, ListItems, list_items, .filter = &filter)->n_items;
}

static void waiting(void) {
  Google__Protobuf__Timestamp time = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
  Todo__V1__Item *item = new_item("Waits"), *change = new_item("");
  time.seconds = 1900000000, item->wait_time = &time;
  item = added(item);
  EXPECT(item->wait_time->seconds == 1900000000);
  EXPECT(waiting_at(1899999999) == 1 && waiting_at(1900000000) == 0);
  change->id = item->id;
  EXPECT(!edited(change, "wait_time")->wait_time);
  GET(&server, DeleteItem, delete_item, .id = item->id);
}

static void repetition(void) {
  Google__Type__Date day = GOOGLE__TYPE__DATE__INIT;
  Todo__V1__Repetition rule = TODO__V1__REPETITION__INIT, after = TODO__V1__REPETITION__INIT;
  Todo__V1__RepeatInterval interval = TODO__V1__REPEAT_INTERVAL__INIT;
  Todo__V1__Item *item = new_item("Bins"), *change = new_item(""), *wrong = new_item("Wrong");
  day.year = 2026, day.month = 5, day.day = 5;
  rule.rule_case = TODO__V1__REPETITION__RULE_RECURRENCE_RULE;
  rule.recurrence_rule = "interval=2;freq=weekly;byday=tu";
  item->due_case = TODO__V1__ITEM__DUE_DUE_DATE, item->due_date = &day, item->repetition = &rule;
  item = added(item);
  EXPECT(!strcmp(item->repetition->recurrence_rule, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"));
  EXPECT(item->repetition->start_case == TODO__V1__REPETITION__START_START_DATE);
  EXPECT(item->repetition->start_date->day == 5);
  after.rule_case = TODO__V1__REPETITION__RULE_AFTER_DONE, after.after_done = &interval;
  interval.count = 3, interval.unit = TODO__V1__FREQUENCY__FREQUENCY_DAILY;
  change->id = item->id, change->repetition = &after;
  Todo__V1__Item *changed = edited(change, "repetition");
  EXPECT(changed->repetition->rule_case == TODO__V1__REPETITION__RULE_AFTER_DONE);
  EXPECT(changed->repetition->after_done->count == 3);
  GET(&server, DeleteItem, delete_item, .id = item->id);
  wrong->repetition = &rule;
  EXPECT_ERROR("INVALID_ITEM", &server, AddItem, add_item, .item = wrong);
  EXPECT(ttrpc_error.n_fields == 1 && names("item.repetition"));
}

static void occurrence(void) {
  Google__Type__Date day = GOOGLE__TYPE__DATE__INIT;
  Todo__V1__Repetition rule = TODO__V1__REPETITION__INIT;
  Todo__V1__Item *chore = new_item("Chore"), *done = NULL;
  day.year = 2026, day.month = 5, day.day = 5;
  rule.rule_case = TODO__V1__REPETITION__RULE_RECURRENCE_RULE, rule.recurrence_rule = "FREQ=DAILY";
  chore->due_case = TODO__V1__ITEM__DUE_DUE_DATE, chore->due_date = &day, chore->repetition = &rule;
  chore = added(chore);
  Todo__V1__Item *checked = GET(&server, CheckItem, check_item, .id = chore->id, .if_revision = chore->revision)->item;
  EXPECT(!checked->done && checked->number == chore->number && checked->revision > chore->revision);
  EXPECT(checked->due_case == TODO__V1__ITEM__DUE_DUE_DATE && !equal(&checked->due_date->base, &day.base));
  Todo__V1__Item *again = GET(&server, CheckItem, check_item, .id = chore->id, .if_revision = chore->revision)->item;
  EXPECT(equal(&again->base, &checked->base));
  Todo__V1__ListItemsResponse *page = GET(&server, ListItems, list_items, .state = TODO__V1__STATE_FILTER__STATE_FILTER_DONE);
  size_t count = 0;
  for (size_t i = 0; i < page->n_items; i++)
    if (!strcmp(page->items[i]->title, "Chore")) done = page->items[i], count++;
  EXPECT(count == 1 && equal(&done->due_date->base, &day.base) && done->number > chore->number && !done->repetition);
  GET(&server, DeleteItem, delete_item, .id = chore->id);
  GET(&server, DeleteItem, delete_item, .id = done->id);
}

static void lookup(void) {
  Todo__V1__Item *item = new_item("Visit");
  item->location = location("7 Some Street", NULL);
  item = added(item);
  EXPECT(item->location->coordinate && *item->location->source);
}

static void geocode(void) {
  Todo__V1__GeocodeAddressResponse *response =
      GET(&server, GeocodeAddress, geocode_address, .address = "7 Some Street", .limit = 1);
  EXPECT(response->n_candidates == 1 && !strcmp(response->attribution, "Invented places"));
}

static void nearby(void) {
  Todo__V1__Item *far = new_item("Far");
  far->location = location(NULL, coordinate(-33.6, 151.25));
  added(far);
  Todo__V1__ListNearbyItemsResponse *response =
      GET(&server, ListNearbyItems, list_nearby_items, .center = coordinate(-33.5, 151.25), .radius_meters = 20000);
  EXPECT(response->n_items == 2 && !strcmp(response->items[0]->item->id, full_id));
  double distance = response->items[1]->distance_meters;
  EXPECT(response->items[0]->distance_meters < 1 && distance > 11000 && distance < 11300);
}

static void delete(void) {
  Todo__V1__Item *gone = added(new_item("Gone soon"));
  EXPECT(GET(&server, DeleteItem, delete_item, .id = gone->id)->revision == gone->revision + 1);
  EXPECT_ERROR("ITEM_NOT_FOUND", &server, GetItem, get_item, .id = gone->id);
}

static void soft_delete(void) {
  Todo__V1__Item *item = added(new_item("Deleted by mistake"));
  int64_t revision = GET(&server, DeleteItem, delete_item, .id = item->id)->revision;
  Todo__V1__ListItemsResponse *page =
      GET(&server, ListItems, list_items, .state = TODO__V1__STATE_FILTER__STATE_FILTER_DELETED);
  EXPECT(page->n_items > 0);
  Todo__V1__Item *deleted = page->items[0];
  EXPECT(!strcmp(deleted->id, item->id) && deleted->number == item->number && deleted->revision == revision);
  EXPECT(deleted->delete_time && deleted->expire_time && deleted->delete_time->seconds < deleted->expire_time->seconds);
  EXPECT_ERROR("ITEM_NOT_FOUND", &server, GetItem, get_item, .id = item->id);
  Todo__V1__Item *restored = GET(&server, UndeleteItem, undelete_item, .id = item->id)->item;
  EXPECT(!strcmp(restored->id, item->id) && !strcmp(restored->title, item->title) && restored->number == item->number);
  EXPECT(!restored->delete_time && !restored->expire_time && restored->revision == revision + 1);
  EXPECT(equal(&GET(&server, GetItem, get_item, .id = item->id)->item->base, &restored->base));
  EXPECT_ERROR("ITEM_NOT_DELETED", &server, UndeleteItem, undelete_item, .id = item->id);
  EXPECT(ttrpc_error.code == 6 && !strcmp(metadata("item_id"), item->id)); /* 6: ALREADY_EXISTS */
}

static void revert(void) {
  Todo__V1__Item *before = added(new_item("As it was")), *change = new_item("As it is");
  change->id = before->id;
  char *paths[] = {"title"};
  Google__Protobuf__FieldMask mask = GOOGLE__PROTOBUF__FIELD_MASK__INIT;
  mask.n_paths = 1, mask.paths = paths;
  Todo__V1__Item *edited = GET(&server, UpdateItem, update_item, .item = change, .update_mask = &mask)->item;
  Todo__V1__ListRevisionsResponse *history = GET(&server, ListRevisions, list_revisions, );
  EXPECT(history->n_revisions > 0 && history->revisions[0]->revision == edited->revision && history->revisions[0]->own);
  EXPECT(history->revisions[0]->n_changes == 1 && history->revisions[0]->change_count == 1);
  Todo__V1__RecordedChange *recorded = history->revisions[0]->changes[0];
  EXPECT(!strcmp(recorded->item_id, before->id) && recorded->number == before->number);
  EXPECT(!strcmp(recorded->title, edited->title) && recorded->cause == TODO__V1__PUT_CAUSE__PUT_CAUSE_EDITED);
  Todo__V1__RevertRevisionResponse *reverted =
      GET(&server, RevertRevision, revert_revision, .revision = edited->revision);
  EXPECT(reverted->reverted_count == 1 && reverted->refused_count == 0 && reverted->revision == edited->revision + 1);
  EXPECT(!strcmp(GET(&server, GetItem, get_item, .id = before->id)->item->title, before->title));
  Todo__V1__RevertRevisionResponse *again = GET(&server, RevertRevision, revert_revision, .revision = edited->revision);
  EXPECT(again->reverted_count == 0 && again->refused_count == 1 && again->revision == reverted->revision);
  EXPECT(again->n_refusals == 1 && !strcmp(again->refusals[0]->item_id, before->id));
  EXPECT(again->refusals[0]->reason == TODO__V1__REVERT_REFUSAL_REASON__REVERT_REFUSAL_REASON_CHANGED_SINCE);
}

static void changes(void) {
  Todo__V1__Item *last = GET(&server, CheckItem, check_item, .id = full_id)->item;
  Todo__V1__ListChangesResponse *response =
      GET(&server, ListChanges, list_changes, .after_revision = last->revision - 1);
  EXPECT(response->n_changes == 1 && !response->has_more && response->next_revision == last->revision);
  EXPECT(equal(&response->changes[0]->put->item->base, &last->base));
  EXPECT(response->changes[0]->put->cause == TODO__V1__PUT_CAUSE__PUT_CAUSE_CHECKED);
}

static void lists(void) {
  char id[37];
  new_id(id);
  for (int i = 0; i < 2; i++) {
    Todo__V1__List *list =
        GET_LISTS(&server, CreateList, create_list, .id = id, .name = "Work", .color = TODO__V1__LIST_COLOR__LIST_COLOR_TEAL)->list;
    EXPECT(!strcmp(list->id, id) && !strcmp(list->name, "Work") && list->color == TODO__V1__LIST_COLOR__LIST_COLOR_TEAL);
  }
  Todo__V1__Item *report = GET(&server, AddItem, add_item, .item = new_item("Report"), .list = id)->item;
  Todo__V1__ListItemsResponse *page = GET(&server, ListItems, list_items, .list = id);
  EXPECT(page->n_items == 1 && equal(&page->items[0]->base, &report->base));
  EXPECT_ERROR("ITEM_NOT_FOUND", &server, GetItem, get_item, .id = report->id);
  Todo__V1__ListSet *set = GET_LISTS(&server, ListLists, list_lists, )->set;
  EXPECT(set->n_lists == 2 && !strcmp(set->lists[0]->name, "Inbox") && !strcmp(set->lists[1]->name, "Work"));
  GET_LISTS(&server, DeleteList, delete_list, .id = id);
  EXPECT_ERROR("LIST_NOT_FOUND", &server, ListItems, list_items, .list = id);
  EXPECT(!strcmp(metadata("list_id"), id));
  GET_LISTS(&server, UndeleteList, undelete_list, .id = id);
  EXPECT(equal(&GET(&server, GetItem, get_item, .id = report->id, .list = id)->item->base, &report->base));
  Todo__V1__MoveItemsResponse *moved =
      GET_LISTS(&server, MoveItems, move_items, .n_ids = 1, .ids = &report->id, .source_list = id);
  EXPECT(moved->n_items == 1 && !strcmp(moved->items[0]->title, "Report"));
  EXPECT(equal(&GET(&server, GetItem, get_item, .id = report->id)->item->base, &moved->items[0]->base));
  EXPECT(GET(&server, ListItems, list_items, .list = id)->n_items == 0);
  GET(&server, DeleteItem, delete_item, .id = report->id);
  GET_LISTS(&server, DeleteList, delete_list, .id = id);
}

static void sharing(void) {
  char id[37];
  new_id(id);
  struct ttrpc bob = ttrpc_connect(tcp, getenv("TODO_OTHER_TOKEN"));
  GET_LISTS(&server, CreateList, create_list, .id = id, .name = "Shared");
  Todo__V1__Item *first = GET(&server, AddItem, add_item, .item = new_item("First"), .list = id)->item;
  Todo__V1__List *list =
      GET_LISTS(&server, ShareList, share_list, .id = id, .user = "bob", .role = TODO__V1__LIST_ROLE__LIST_ROLE_VIEWER)->list;
  EXPECT(list->n_members == 1 && !strcmp(list->members[0]->user, "bob") && list->members[0]->invited);
  EXPECT_ERROR("LIST_NOT_FOUND", &bob, ListItems, list_items, .list = id);
  list = GET_LISTS(&bob, AcceptList, accept_list, .id = id)->list;
  EXPECT(list->role == TODO__V1__LIST_ROLE__LIST_ROLE_VIEWER && !strcmp(list->owner_user, "ann"));
  Todo__V1__ListItemsResponse *page = GET(&bob, ListItems, list_items, .list = id);
  EXPECT(page->n_items == 1 && equal(&page->items[0]->base, &first->base));
  EXPECT_ERROR("NOT_PERMITTED", &bob, AddItem, add_item, .item = new_item("Second"), .list = id);
  EXPECT(!strcmp(metadata("needed_role"), "editor"));
  GET_LISTS(&server, ShareList, share_list, .id = id, .user = "bob", .role = TODO__V1__LIST_ROLE__LIST_ROLE_EDITOR);
  Todo__V1__Item *second = GET(&bob, AddItem, add_item, .item = new_item("Second"), .list = id)->item;
  EXPECT(equal(&GET(&server, GetItem, get_item, .id = second->id, .list = id)->item->base, &second->base));
  EXPECT(GET_LISTS(&server, UnshareList, unshare_list, .id = id, .user = "bob")->list->n_members == 0);
  EXPECT_ERROR("LIST_NOT_FOUND", &bob, ListItems, list_items, .list = id);
  GET_LISTS(&server, DeleteList, delete_list, .id = id);
  ttrpc_close(&bob);
}

static void expect_error_for_bytes(const char *reason, const char *method, const void *bytes, size_t count) {
  uint32_t stream = ttrpc_send(&server, "todo.v1.ToDoService", method, bytes, count, false, 0);
  EXPECT(!ttrpc_receive(&server, stream, &todo__v1__get_item_response__descriptor, &pool));
  EXPECT(!strcmp(ttrpc_error.reason, reason));
}

static void malformed_request(void) { expect_error_for_bytes("MALFORMED_REQUEST", "GetItem", "\xff\xff\xff", 3); }
static void method_not_implemented(void) { expect_error_for_bytes("METHOD_NOT_IMPLEMENTED", "Fly", "", 0); }

static void service_not_found(void) {
  EXPECT(health("no.such.Service") == -1 && !strcmp(ttrpc_error.reason, "SERVICE_NOT_FOUND"));
}

static void deadline_exceeded(void) {
  Todo__V1__GeocodeAddressRequest request = TODO__V1__GEOCODE_ADDRESS_REQUEST__INIT;
  uint8_t payload[64];
  request.address = "8 Some Street";
  size_t length = todo__v1__geocode_address_request__pack(&request, payload);
  uint32_t stream = ttrpc_send(&server, "todo.v1.ToDoService", "GeocodeAddress", payload, length, false, 1000000);
  EXPECT(!ttrpc_receive(&server, stream, &todo__v1__geocode_address_response__descriptor, &pool));
  EXPECT(!strcmp(ttrpc_error.reason, "DEADLINE_EXCEEDED"));
}

static void message_too_large(void) {
  EXPECT_ERROR("MESSAGE_TOO_LARGE", &server, AddItem, add_item, .item = new_item(repeated('x', 4 << 20)));
  EXPECT(!strcmp(metadata("max_bytes"), "4194304"));
  GET(&server, GetItem, get_item, .id = full_id);
}

static void invalid_item(void) {
  Todo__V1__Item *wrong = new_item("");
  wrong->location = location(NULL, coordinate(91, 0));
  EXPECT_ERROR("INVALID_ITEM", &server, AddItem, add_item, .item = wrong);
  EXPECT(ttrpc_error.n_fields == 2 && names("item.title") && names("item.location.coordinate.latitude"));
}

static void invalid_request(void) {
  EXPECT_ERROR("INVALID_REQUEST", &server, ListItems, list_items, .page_size = -1);
  EXPECT(names("page_size"));
}

static void invalid_page_token(void) {
  char *token = GET(&server, ListItems, list_items, .page_size = 1)->next_page_token;
  EXPECT_ERROR("INVALID_PAGE_TOKEN", &server, ListItems, list_items, .page_size = 1, .page_token = token, .text = "milk");
}

static void item_not_found(void) {
  char unknown[37];
  EXPECT_ERROR("ITEM_NOT_FOUND", &server, GetItem, get_item, .id = new_id(unknown));
  EXPECT(!strcmp(metadata("item_id"), unknown));
}

static void duplicate_item(void) {
  Todo__V1__Item *first = new_item("Twice"), *second = new_item("Twice");
  added(first);
  EXPECT_ERROR("DUPLICATE_ITEM", &server, AddItem, add_item, .item = second);
  EXPECT(!strcmp(metadata("item_id"), second->id) && !strcmp(metadata("existing_id"), first->id));
  GET(&server, AddItem, add_item, .item = second, .allow_duplicate = true);
}

static void item_id_conflict(void) {
  Todo__V1__Item *other = new_item("Something else");
  other->id = full_id;
  EXPECT_ERROR("ITEM_ID_CONFLICT", &server, AddItem, add_item, .item = other);
}

static void item_id_deleted(void) {
  Todo__V1__Item *gone = new_item("Gone for good");
  added(gone);
  GET(&server, DeleteItem, delete_item, .id = gone->id);
  EXPECT_ERROR("ITEM_ID_DELETED", &server, AddItem, add_item, .item = gone);
}

static void revision_mismatch(void) {
  int64_t now = GET(&server, GetItem, get_item, .id = full_id)->item->revision;
  EXPECT_ERROR("REVISION_MISMATCH", &server, UncheckItem, uncheck_item, .id = full_id, .if_revision = now - 1);
  EXPECT(atoll(metadata("current_revision")) == now);
}

static void revision_compacted(void) {
  for (int round = 0; round < 40; round++) {
    GET(&server, UncheckItem, uncheck_item, .id = full_id);
    GET(&server, CheckItem, check_item, .id = full_id);
  }
  EXPECT_ERROR("REVISION_COMPACTED", &server, ListChanges, list_changes, );
  EXPECT(atoll(metadata("oldest_revision")) > 0);
}

static void revision_in_future(void) {
  int64_t now = revision();
  EXPECT_ERROR("REVISION_IN_FUTURE", &server, ListChanges, list_changes, .after_revision = now + 1);
  EXPECT(atoll(metadata("current_revision")) == now);
}

static void address_not_found(void) {
  Todo__V1__Item *lost = new_item("Lost");
  lost->location = location("nowhere", NULL);
  EXPECT_ERROR("ADDRESS_NOT_FOUND", &server, AddItem, add_item, .item = lost);
  EXPECT(names("item.location.address"));
  EXPECT(!GET(&server, AddItem, add_item, .item = lost, .save_without_coordinate = true)->item->location->coordinate);
}

static void geocoder_unavailable(void) {
  struct ttrpc other = ttrpc_connect(without_geocoder, NULL);
  EXPECT_ERROR("GEOCODER_UNAVAILABLE", &other, GeocodeAddress, geocode_address, .address = "7 Some Street");
  ttrpc_close(&other);
}

static void list_full(void) {
  while (add_batch(500, "Filler %d", NULL)) continue;
  EXPECT(!strcmp(ttrpc_error.reason, "LIST_FULL") && !strcmp(metadata("max_items"), "1200"));
}

static void unauthenticated(void) {
  char unknown[128], first[256] = "";
  snprintf(unknown, sizeof unknown, "todo_0123456789abcdef_%s", repeated('0', 64));
  const char *tokens[] = {NULL, unknown, "nonsense"};
  for (int i = 0; i < 3; i++) {
    struct ttrpc unauthenticated_client = ttrpc_connect(tcp, tokens[i]);
    EXPECT_ERROR("UNAUTHENTICATED", &unauthenticated_client, GetServerInfo, get_server_info, );
    if (i == 0) strcpy(first, ttrpc_error.message);
    EXPECT(!strcmp(first, ttrpc_error.message));
    ttrpc_close(&unauthenticated_client);
  }
}

static void read_only(void) {
  struct ttrpc reader = ttrpc_connect(tcp, getenv("TODO_READ_ONLY_TOKEN"));
  EXPECT(GET(&reader, ListItems, list_items, )->n_items > 0);
  EXPECT_ERROR("READ_ONLY", &reader, AddItem, add_item, .item = new_item("Not mine to add"));
  ttrpc_close(&reader);
}

static void large(void) {
  empty();
  Todo__V1__Item *longest = new_item(repeated('t', 1024));
  longest->description = repeated('d', 65536);
  longest->location = location(repeated('a', 1024), coordinate(1, 1));
  longest->location->name = repeated('n', 1024);
  EXPECT(!strcmp(added(longest)->description, longest->description));
  Todo__V1__BatchAddItemsResponse *response = add_batch(48, "%d", repeated('d', 65000));
  EXPECT(response && response->n_items == 48);
}

static void concurrent(void) {
  Todo__V1__BatchAddItemsResponse *items = add_batch(100, "Concurrent %d", "");
  EXPECT(items);
  uint32_t streams[1000];
  for (int i = 0; i < 1000; i++) {
    Todo__V1__GetItemRequest request = TODO__V1__GET_ITEM_REQUEST__INIT;
    uint8_t payload[64];
    request.id = items->items[i % 100]->id;
    size_t length = todo__v1__get_item_request__pack(&request, payload);
    streams[i] = ttrpc_send(&server, "todo.v1.ToDoService", "GetItem", payload, length, false, 0);
  }
  for (int i = 999; i >= 0; i--) {
    Todo__V1__GetItemResponse *response =
        ttrpc_receive(&server, streams[i], &todo__v1__get_item_response__descriptor, &pool);
    EXPECT(response && equal(&response->item->base, &items->items[i % 100]->base));
  }
}

static void over_unix(void) {
  struct ttrpc local = ttrpc_connect(unix_socket, getenv("TODO_TOKEN"));
  EXPECT(GET(&local, ListItems, list_items, .page_size = 1)->revision == revision());
  ttrpc_close(&local);
}

static uint32_t watch_from(struct ttrpc *connection, Todo__V1__WatchItemsRequest__StartCase start, int64_t after) {
  Todo__V1__WatchItemsRequest request = TODO__V1__WATCH_ITEMS_REQUEST__INIT;
  Todo__V1__StartNow now = TODO__V1__START_NOW__INIT;
  Todo__V1__StartWithSnapshot snapshot = TODO__V1__START_WITH_SNAPSHOT__INIT;
  request.start_case = start;
  if (start == TODO__V1__WATCH_ITEMS_REQUEST__START_NOW) request.now = &now;
  if (start == TODO__V1__WATCH_ITEMS_REQUEST__START_AFTER_REVISION) request.after_revision = after;
  if (start == TODO__V1__WATCH_ITEMS_REQUEST__START_WITH_SNAPSHOT) request.with_snapshot = &snapshot;
  uint8_t payload[32];
  size_t length = todo__v1__watch_items_request__pack(&request, payload);
  return ttrpc_send(connection, "todo.v1.ToDoService", "WatchItems", payload, length, true, 0);
}

static Todo__V1__WatchItemsResponse *event(struct ttrpc *connection, uint32_t stream) {
  Todo__V1__WatchItemsResponse *event =
      ttrpc_receive(connection, stream, &todo__v1__watch_items_response__descriptor, &pool);
  EXPECT(event);
  return event;
}

static void cancel(uint32_t stream) {
  Todo__V1__CancelCallRequest request = TODO__V1__CANCEL_CALL_REQUEST__INIT;
  request.stream_id = stream;
  EXPECT(ttrpc_call(&server, "todo.v1.ConnectionService", "CancelCall", &request.base,
                    &todo__v1__cancel_call_response__descriptor, &pool));
}

static void cancelled(void) {
  uint32_t stream = watch_from(&server, TODO__V1__WATCH_ITEMS_REQUEST__START_NOW, 0);
  EXPECT(event(&server, stream)->progress);
  cancel(stream);
  EXPECT(!ttrpc_receive(&server, stream, &todo__v1__watch_items_response__descriptor, &pool));
  EXPECT(!strcmp(ttrpc_error.reason, "CANCELLED"));
}

static void watch(void) {
  int64_t now = revision();
  uint32_t stream = watch_from(&server, TODO__V1__WATCH_ITEMS_REQUEST__START_WITH_SNAPSHOT, 0);
  Todo__V1__WatchItemsResponse *next;
  size_t count = 0;
  while ((next = event(&server, stream))->event_case == TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_PAGE)
    count += next->snapshot_page->n_items;
  EXPECT(count == 149 && next->snapshot_end->revision == now);
  Todo__V1__Item *item = added(new_item("Seen"));
  EXPECT(equal(&event(&server, stream)->changes->changes[0]->put->item->base, &item->base));
  GET(&server, DeleteItem, delete_item, .id = item->id);
  EXPECT(!strcmp(event(&server, stream)->changes->changes[0]->deleted->id, item->id));
  cancel(stream);
}

static void resume(void) {
  struct ttrpc own = ttrpc_connect(tcp, getenv("TODO_TOKEN"));
  uint32_t stream = watch_from(&own, TODO__V1__WATCH_ITEMS_REQUEST__START_NOW, 0);
  int64_t last = event(&own, stream)->progress->revision;
  added(new_item("Before"));
  EXPECT(event(&own, stream)->changes->changes[0]->revision == ++last);
  ttrpc_close(&own);
  for (int i = 0; i < 3; i++) added(new_item(text("Missed %d", i)));
  own = ttrpc_connect(tcp, getenv("TODO_TOKEN"));
  stream = watch_from(&own, TODO__V1__WATCH_ITEMS_REQUEST__START_AFTER_REVISION, last);
  for (int i = 0; i < 3; i++) EXPECT(event(&own, stream)->changes->changes[0]->revision == ++last);
  EXPECT(event(&own, stream)->progress->revision == last);
  ttrpc_close(&own);
}

static void many_watches(void) {
  uint32_t streams[50];
  for (int i = 0; i < 50; i++) streams[i] = watch_from(&server, TODO__V1__WATCH_ITEMS_REQUEST__START_NOW, 0);
  for (int i = 0; i < 50; i++) EXPECT(event(&server, streams[i])->progress);
  Todo__V1__Item *item = added(new_item("For all"));
  for (int i = 0; i < 50; i++)
    EXPECT(equal(&event(&server, streams[i])->changes->changes[0]->put->item->base, &item->base));
  for (int i = 0; i < 50; i++) cancel(streams[i]);
}

#define CHECK(name) {#name, name}
static const struct { const char *name; void (*run)(void); } checks[] = {
    CHECK(serving), CHECK(info), CHECK(empty), CHECK(add), CHECK(add_again), CHECK(get), CHECK(emoji), CHECK(due_date),
    CHECK(batch), CHECK(numbers), CHECK(pages), CHECK(filter), CHECK(check), CHECK(uncheck), CHECK(update), CHECK(tags),
    CHECK(steps), CHECK(reminders), CHECK(waiting), CHECK(repetition), CHECK(occurrence),
    CHECK(lookup), CHECK(geocode), CHECK(nearby), CHECK(delete), CHECK(soft_delete), CHECK(revert), CHECK(changes), CHECK(lists),
    CHECK(sharing), CHECK(malformed_request), CHECK(method_not_implemented), CHECK(service_not_found), CHECK(deadline_exceeded), CHECK(message_too_large),
    CHECK(invalid_item), CHECK(invalid_request), CHECK(invalid_page_token), CHECK(item_not_found),
    CHECK(duplicate_item), CHECK(item_id_conflict), CHECK(item_id_deleted), CHECK(revision_mismatch),
    CHECK(revision_compacted), CHECK(revision_in_future), CHECK(address_not_found), CHECK(geocoder_unavailable),
    CHECK(list_full), CHECK(unauthenticated), CHECK(read_only), CHECK(large), CHECK(concurrent), CHECK(over_unix),
    CHECK(cancelled), CHECK(watch), CHECK(resume), CHECK(many_watches)};

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  tcp = argv[1], unix_socket = argv[2], without_geocoder = argv[3];
  alarm(90); /* Bounds the time of all checks, because a call might never return. */
  new_id(full_id);
  server = ttrpc_connect(tcp, getenv("TODO_TOKEN"));
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    checks[i].run();
    free_all();
    printf("ok %s\n", checks[i].name);
    fflush(stdout);
  }
  printf("%zu checks passed\n", sizeof checks / sizeof *checks);
  ttrpc_close(&server);
}
