// Tests of the page's modules that need no server. units.py runs them in a browser.

import { Frames, envelope, errorInfo, newID } from "/api.js";
import { dayEnd, dayNumber, dueText, isoDate, localTime } from "/dates.js";
import { h, patch } from "/dom.js";
import { changesOf, draftOf, fieldsOf, problemsOf } from "/form.js";
import { ItemTable, comparison, fold, matcher, position, readItem, sections, tagCounts, urgency } from "/items.js";
import { keyTable } from "/key-table.js";
import { Keys } from "/keys.js";
import { Projection, distance, readWorld, viewOf } from "/map.js";
import { moved, occurrenceChange, occurrenceOf } from "/moving.js";
import { known, knowsZone } from "/occurrences.js";
import { initialState, reduce } from "/state.js";
import { reminderText, repetitionText } from "/words.js";

const tests = [];
const test = (name, body) => tests.push([name, body]);

function equal(actual, expected, what = "value") {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: ${left} is not ${right}`);
}
const near = (actual, expected, precision) => {
  if (Math.abs(actual - expected) > precision) throw new Error(`${actual} is not ${expected}`);
};

const now = localTime("2026-04-29", "10:00");
const at = (date, time) => new Date(localTime(date, time)).toISOString();
const day = (text) => {
  const [year, month, date] = text.split("-").map(Number);
  return { year, month, day: date };
};
let count = 0;
const json = (title, more = {}) => ({
  id: `id-${String((count += 1)).padStart(5, "0")}`,
  title,
  revision: String(count),
  createTime: at("2026-04-01", "09:00"),
  updateTime: at("2026-04-01", "09:00"),
  ...more,
});
const item = (title, more) => readItem(json(title, more));
const rows = (items) => {
  const sort = (isDone) => items.filter(({ done }) => done === isDone).sort(comparison("due", false, isDone, now));
  return { todo: sort(false), done: sort(true) };
};
const titles = (found) => found.map(({ name, items }) => [name, items.map(({ title }) => title)]);
const divide = (items, more = {}) => sections(rows(items), { order: "due", reversed: false, showsWaiting: false, now, ...more });

// MARK: Streams

test("messages of a stream arrive in pieces of any size", () => {
  const bytes = [envelope('{"a":1}'), envelope(""), envelope('{"b":"ü"}')].flatMap((piece) => [...piece]);
  for (const size of [1, 2, 5, 7, 100]) {
    const frames = new Frames();
    const found = [];
    for (let start = 0; start < bytes.length; start += size)
      found.push(...frames.add(Uint8Array.from(bytes.slice(start, start + size))));
    equal(
      found,
      [
        [0, '{"a":1}'],
        [0, ""],
        [0, '{"b":"ü"}'],
      ],
      `pieces of ${size}`,
    );
  }
});

test("a reason and its metadata are read from an ErrorInfo", () => {
  const text = (field, value) => [(field << 3) | 2, value.length, ...new TextEncoder().encode(value)];
  const entry = [...text(1, "item_id"), ...text(2, "x")];
  const info = errorInfo(
    Uint8Array.from([...text(1, "DUPLICATE_ITEM"), ...text(2, "todo.v1"), (3 << 3) | 2, entry.length, ...entry]),
  );
  equal(info, { metadata: { item_id: "x" }, reason: "DUPLICATE_ITEM" });
});

test("a new ID is a UUID of version 7 that grows with time", () => {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(newID())) throw new Error(newID());
  if (newID(1) >= newID(2)) throw new Error("the order is wrong");
});

// MARK: Dates, sections, orders

test("days are named from the reader's day", () => {
  const today = dayNumber(now);
  equal(
    [-1, 0, 1, 3].map((offset) => dueText({ date: isoDate(today + offset) }, now)),
    ["yesterday", "today", "tomorrow", "Sat 2 May"],
  );
  equal(dueText({ date: "2027-05-02" }, now), "2 May 2027");
  equal(dueText({ time: localTime("2026-04-30", "17:00") }, now), "tomorrow 17:00");
});

test("sections divide items by their due dates", () => {
  const found = divide([
    item("late time", { dueTime: at("2026-04-29", "09:59") }),
    item("late day", { dueDate: day("2026-04-28") }),
    item("today", { dueDate: day("2026-04-29") }),
    item("tonight", { dueTime: at("2026-04-29", "23:59") }),
    item("midnight", { dueTime: at("2026-04-30", "00:00") }),
    item("next week", { dueDate: day("2026-05-06") }),
    item("later", { dueDate: day("2026-05-07") }),
    item("never"),
    item("done", { done: true, completeTime: at("2026-04-28", "08:00"), dueDate: day("2026-04-01") }),
  ]);
  equal(titles(found.sections), [
    ["Overdue", ["late day", "late time"]],
    ["Today", ["tonight", "today"]],
    ["Next", ["midnight", "next week"]],
    ["Later", ["later", "never"]],
    ["Done", ["done"]],
  ]);
});

test("without near dates there is one section", () => {
  equal(titles(divide([item("b"), item("a", { dueDate: day("2027-01-01") })]).sections), [["To do", ["a", "b"]]]);
  equal(titles(divide([]).sections), [["To do", []]]);
});

test("waiting items are counted, and shown on demand", () => {
  const items = [item("waits", { waitTime: at("2026-05-01", "00:00") }), item("waited", { waitTime: at("2026-04-01", "00:00") })];
  equal(divide(items).waitingCount, 1);
  equal(titles(divide(items).sections), [["To do", ["waited"]]]);
  equal(titles(divide(items, { showsWaiting: true }).sections), [
    ["To do", ["waited"]],
    ["Waiting", ["waits"]],
  ]);
});

test("done items come latest first", () => {
  const done = (title, date) => item(title, { done: true, completeTime: at(date, "08:00") });
  equal(
    rows([done("old", "2026-01-01"), done("new", "2026-04-01")]).done.map(({ title }) => title),
    ["new", "old"],
  );
});

test("the position of a row is where it is, or belongs", () => {
  const sorted = rows([item("a", { dueDate: day("2026-05-01") }), item("b", { dueDate: day("2026-05-03") })]).todo;
  equal(
    [0, 1].map((index) => position(sorted, sorted[index], comparison("due", false, false, now))),
    [0, 1],
  );
  equal(position(sorted, item("c", { dueDate: day("2026-05-02") }), comparison("due", false, false, now)), 1);
});

test("urgency is that of the document's example, and of every client", () => {
  const days = (number) => new Date(now - number * 86_400_000).toISOString();
  const example = { priority: "PRIORITY_HIGH", dueDate: day("2026-04-28"), createTime: days(100) };
  equal(urgency(item("x", example), now), 15_804);
  equal(urgency(item("x", { ...example, done: true }), now), 0);
  equal(urgency(item("x", { dueDate: day("2026-04-01"), createTime: days(0) }), now), 12_000);
  equal(urgency(item("x", { dueTime: days(-3.5), createTime: days(-1) }), now), 2400 + Math.floor((9600 * 10) / 21));
});

test("search finds words in any order, without case and accents", () => {
  const oat = item("Buy oatmilk", { description: "At the Café", location: { name: "Straße" } });
  const finds = (values) => Boolean(matcher({ text: "", due: "", place: "", marks: "", ...values }, now)?.(oat));
  equal(
    ["milk buy", "cafe", "STRASSE oat", "tea"].map((text) => finds({ text })),
    [true, true, true, false],
  );
  equal(
    ["strasse", "buy"].map((place) => finds({ place })),
    [true, false],
  );
  equal(fold("Ægir ŁÓDŹ ß"), "aegir lodz ss");
  equal(matcher({ text: " ", due: "", place: "", marks: "" }, now), null);
});

test("marks select tags below a tag, exclude tags, and name priorities", () => {
  const work = item("x", { tags: ["Work/urgent"], priority: "PRIORITY_MEDIUM" });
  const passes = (marks) => matcher({ text: "", due: "", place: "", marks }, now)(work);
  equal(["work", "#work/urgent", "urgent", "-work", "-home", "!!", "!"].map(passes), [true, true, false, false, true, true, false]);
  equal(tagCounts([work, item("y", { tags: ["work/Urgent", "a"] })]), [
    { tag: "a", count: 1 },
    { tag: "Work/urgent", count: 2 },
  ]);
});

test("a changed table leaves the table before as it is", () => {
  const [a, b, c] = ["0a", "ff", "zz"].map((id) => ({ id }));
  const before = new ItemTable([a, b]);
  const after = before.with([
    ["0a", undefined],
    ["zz", c],
    ["none", undefined],
  ]);
  equal(
    [before, after].map((table) => [table.size, [...table.values()].map(({ id }) => id).sort(), table.get("0a")?.id ?? null]),
    [
      [2, ["0a", "ff"], "0a"],
      [2, ["ff", "zz"], null],
    ],
  );
});

// MARK: The state

const apply = (state, ...messages) => reduce(state, { type: "watched", messages });
const started = () => {
  const state = apply(
    { ...initialState, now },
    { snapshotPage: { items: [json("one", { id: "1", revision: "1" })] } },
    { snapshotPage: { items: [json("two", { id: "2", revision: "2" })] } },
    { snapshotEnd: { revision: "2", incarnation: "9" } },
  );
  return state;
};
const put = (revision, id, title, more) => ({
  revision: String(revision),
  put: { item: json(title, { id, revision: String(revision), ...more }) },
});
const all = ({ content }) => [...content.todo, ...content.done].map(({ title }) => title).sort();

test("a snapshot takes effect at its end", () => {
  const begun = apply(initialState, { snapshotPage: { items: [json("one")] } });
  equal(all(begun), []);
  const { content } = started();
  equal([all({ content }), content.revision, content.incarnation, content.isComplete], [["one", "two"], 2, "9", true]);
});

test("a revision takes effect once all of it has arrived", () => {
  const part = apply(started(), { changes: { changes: [put(3, "3", "three")], moreFollow: true } });
  equal([all(part), part.content.revision], [["one", "two"], 2]);
  const whole = apply(part, { changes: { changes: [{ revision: "3", deleted: { id: "1" } }] } });
  equal([all(whole), whole.content.revision], [["three", "two"], 3]);
});

test("parts of a revision are forgotten when the stream breaks off", () => {
  const part = apply(started(), { changes: { changes: [put(3, "3", "three")], moreFollow: true } });
  const again = apply(reduce(part, { type: "brokeOff" }), { changes: { changes: [put(3, "4", "four")] } });
  equal(all(again), ["four", "one", "two"]);
});

test("an earlier change does not replace a later one", () => {
  const later = reduce(started(), { type: "put", item: put(5, "1", "newest").put.item });
  equal(later.content.revision, 2, "a response does not move the position of the watch");
  equal(all(apply(later, { changes: { changes: [put(4, "1", "older")] } })), ["newest", "two"]);
});

test("many changes at once are those one after another", () => {
  const changes = Array.from({ length: 200 }, (_, index) => {
    const revision = String(index + 3);
    const id = String((index * 7) % 60);
    if (index % 5 === 4) return { revision, deleted: { id } };
    return put(revision, id, `title ${id}`, { done: index % 3 === 0, dueDate: day(`2026-05-${(index % 28) + 1}`) });
  });
  const view = ({ content: { todo, done, items } }) => [todo, done, [...items.values()]].map((part) => part.map(({ id }) => id));
  const single = changes.reduce((state, change) => apply(state, { changes: { changes: [change] } }), started());
  const [todo, done, items] = view(apply(started(), { changes: { changes } }));
  const [expectedTodo, expectedDone, expectedItems] = view(single);
  equal([todo, done, items.sort()], [expectedTodo, expectedDone, expectedItems.sort()]);
});

test("a checked item moves to the done rows, and is marked as fresh", () => {
  const state = apply(started(), {
    changes: { changes: [put(3, "1", "one", { done: true, completeTime: at("2026-04-29", "09:00") })] },
  });
  equal([state.content.todo.map(({ id }) => id), state.content.done.map(({ id }) => id), [...state.fresh]], [["2"], ["1"], ["1"]]);
});

test("the state itself is never changed", () => {
  const before = started();
  const copy = all(before);
  apply(before, { changes: { changes: [{ revision: "3", deleted: { id: "1" } }, put(3, "2", "changed")] } });
  equal(all(before), copy);
});

test("progress moves the position", () =>
  equal(apply(started(), { progress: { revision: "7", incarnation: "9" } }).content.revision, 7));

test("an unknown message is skipped", () => equal(all(apply(started(), { somethingNew: {} })), ["one", "two"]));

test("signing out forgets everything", () => {
  const state = reduce(started(), { type: "signedOut", message: "gone" });
  equal([all(state), state.connection, state.signInError], [[], "signedOut", "gone"]);
});

test("another list begins without items, filters and undo", () => {
  const state = reduce({ ...started(), query: { text: "x" }, undo: [1] }, { type: "showList", id: "l" });
  equal([all(state), state.listID, state.query.text, state.undo, state.content.isComplete], [[], "l", "", [], false]);
});

test("two undos in a row are of two changes", () => {
  const [first, second] = [{ text: "first" }, { text: "second" }];
  const state = { ...started(), undo: [first, second] };
  const undoing = reduce(state, { type: "undoing", entry: second });
  equal(undoing.undo, [first]);
  equal(reduce(undoing, { type: "notUndone", entry: second }).undo, [first, second]);
});

test("many changes keep the rows sorted", () => {
  let state = started();
  let seed = 7;
  const random = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % limit;
  };
  for (let revision = 3; revision < 300; revision += 1) {
    const change =
      random(4) === 0
        ? { revision: String(revision), deleted: { id: String(random(30)) } }
        : put(
            revision,
            String(random(30)),
            "x",
            random(3) === 0
              ? { done: true, completeTime: at("2026-04-01", "08:00") }
              : { dueDate: day(isoDate(dayNumber(now) + random(20))) },
          );
    state = apply(state, { changes: { changes: [change] } });
  }
  const { items, todo, done } = state.content;
  equal(items.size, todo.length + done.length);
  for (const [list, isDone] of [
    [todo, false],
    [done, true],
  ]) {
    equal(
      list.map(({ id }) => id),
      [...list].sort(comparison("due", false, isDone, now)).map(({ id }) => id),
    );
    if (list.some((row) => items.get(row.id) !== row)) throw new Error("a row is not its item");
  }
});

// MARK: The form

test("a form without changes saves nothing", () => {
  const draft = draftOf(
    item("x", {
      dueTime: at("2026-05-01", "17:00"),
      tags: ["a"],
      steps: [{ text: "s", done: true }],
      waitTime: at("2026-04-30", "00:00"),
      repetition: { recurrenceRule: "FREQ=WEEKLY;BYDAY=TU", timeZone: "UTC" },
      reminders: [{ secondsBefore: "60" }],
    }),
  );
  equal(changesOf({ ...draft }, draft), { fields: {}, paths: [] });
});

test("a form names the fields that it changes", () => {
  const draft = draftOf(item("x", { dueTime: at("2026-05-01", "17:00"), tags: ["a"] }));
  const { fields, paths } = changesOf({ ...draft, title: " y ", time: "", tags: "", steps: "[x] one\n\ntwo" }, draft);
  equal(paths, ["title", "due", "tags", "steps"]);
  equal(fields, { title: "y", dueDate: day("2026-05-01"), tags: [], steps: [{ text: "one", done: true }, { text: "two" }] });
});

test("a cleared date is sent as no date", () => {
  const draft = draftOf(item("x", { dueDate: day("2026-05-01") }));
  equal(changesOf({ ...draft, date: "" }, draft), { fields: {}, paths: ["due"] });
});

test("a monthly repetition late in the month falls on the last day of shorter months", () => {
  const repeat = { kind: "rule", count: "2", unit: "FREQUENCY_MONTHLY" };
  const rule = (date) => fieldsOf({ ...draftOf(item("x")), date, repeat }).repetition.recurrenceRule;
  equal(
    [rule("2026-05-31"), rule("2026-05-01")],
    ["RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=2;SKIP=BACKWARD", "FREQ=MONTHLY;INTERVAL=2"],
  );
});

// MARK: Occurrences

test("a rule follows an occurrence to another date, or cannot, as in RepetitionMovingTests.swift", () => {
  const clamped = (rule) => `RSCALE=GREGORIAN;${rule};SKIP=BACKWARD`;
  const cases = [
    ["FREQ=DAILY", "2026-05-04", "2026-05-06", "FREQ=DAILY"],
    ["FREQ=WEEKLY;BYDAY=MO,TH", "2026-05-04", "2026-05-06", "FREQ=WEEKLY;BYDAY=WE,TH"],
    ["FREQ=WEEKLY;BYDAY=MO,TH", "2026-05-04", "2026-05-07", null],
    ["FREQ=WEEKLY;BYDAY=TU", "2026-05-04", "2026-05-07", null],
    ["FREQ=MONTHLY;BYMONTHDAY=4", "2026-05-04", "2026-05-31", clamped("FREQ=MONTHLY;BYMONTHDAY=31")],
    ["FREQ=MONTHLY;BYMONTHDAY=4,15", "2026-05-04", "2026-05-29", clamped("FREQ=MONTHLY;BYMONTHDAY=15,29")],
    ["FREQ=MONTHLY;BYMONTHDAY=4", "2026-05-04", "2026-05-28", "FREQ=MONTHLY;BYMONTHDAY=28"],
    ["FREQ=MONTHLY;BYMONTHDAY=4,30", "2026-05-04", "2026-05-31", "FREQ=MONTHLY;BYMONTHDAY=30,31"],
    ["FREQ=MONTHLY;BYMONTHDAY=31", "2026-05-31", "2026-05-30", "FREQ=MONTHLY;BYMONTHDAY=30"],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-05-31", "2026-05-30", clamped("FREQ=MONTHLY;BYMONTHDAY=30")],
    ["FREQ=MONTHLY;BYMONTHDAY=4,-1", "2026-05-31", "2026-05-20", "FREQ=MONTHLY;BYMONTHDAY=4,20"],
    ["FREQ=MONTHLY;BYMONTHDAY=4,-1", "2026-05-04", "2026-05-31", null],
    [clamped("FREQ=MONTHLY;BYMONTHDAY=31"), "2026-04-30", "2026-05-02", clamped("FREQ=MONTHLY;BYMONTHDAY=2")],
    ["FREQ=MONTHLY;BYDAY=1MO", "2026-05-04", "2026-05-12", "FREQ=MONTHLY;BYDAY=2TU"],
    ["FREQ=MONTHLY;BYDAY=1MO", "2026-05-04", "2026-05-29", "FREQ=MONTHLY;BYDAY=-1FR"],
    ["FREQ=MONTHLY;BYDAY=-1MO", "2026-05-25", "2026-05-26", "FREQ=MONTHLY;BYDAY=-1TU"],
    ["FREQ=MONTHLY;BYDAY=-1MO", "2026-05-25", "2026-05-19", "FREQ=MONTHLY;BYDAY=3TU"],
    ["FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=4", "2026-05-04", "2026-05-06", null],
    ["FREQ=MONTHLY;BYMONTH=5;BYMONTHDAY=4", "2026-05-04", "2026-06-06", null],
    ["FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4", "2026-05-04", "2026-06-06", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=6"],
    ["FREQ=YEARLY;BYMONTH=5,6;BYMONTHDAY=4", "2026-05-04", "2026-06-06", null],
    ["FREQ=YEARLY;BYMONTH=5;BYDAY=1MO", "2026-05-04", "2026-07-07", "FREQ=YEARLY;BYMONTH=7;BYDAY=1TU"],
    ["FREQ=YEARLY;BYDAY=18MO", "2026-05-04", "2026-05-05", null],
    ["FREQ=MONTHLY;INTERVAL=2", "2026-05-04", "2026-05-30", clamped("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=30")],
    ["FREQ=MONTHLY", "2026-05-31", "2026-05-30", "FREQ=MONTHLY"],
    ["FREQ=YEARLY", "2028-02-28", "2028-02-29", clamped("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29")],
    ["FREQ=WEEKLY;COUNT=5", "2026-05-18", "2026-05-19", "FREQ=WEEKLY;COUNT=3"],
    ["FREQ=WEEKLY;COUNT=5", "2026-06-08", "2026-06-09", null],
  ];
  for (const [recurrenceRule, old, date, expected] of cases) {
    const startDate = day(recurrenceRule.includes("COUNT") ? "2026-05-04" : old);
    const repetition = { recurrenceRule, timeZone: "UTC", startDate, missedCount: "3" };
    const found = moved(repetition, known(null, day(old)), known(null, day(date)));
    equal(found, expected && { recurrenceRule: expected, timeZone: "UTC", missedCount: "3" }, `${recurrenceRule} to ${date}`);
  }
});

test("an edit of an item that repeats is of one occurrence or of all that follow", () => {
  const repetition = { recurrenceRule: "FREQ=WEEKLY", timeZone: "UTC" };
  const rent = item("Rent", { dueDate: day("2026-05-04"), repetition });
  const change = (fields, ...paths) => occurrenceChange(rent, { fields, paths }, now);
  const next = { fields: { dueDate: day("2026-05-11") }, paths: ["due"] };
  equal(change({ title: "y" }, "title"), { only: next, following: null });
  equal(change({ dueDate: day("2026-05-05") }, "due"), { only: null, following: repetition });
  equal(change({ title: "y", dueDate: day("2026-05-05") }, "title", "due"), { only: next, following: repetition });
  equal(change({ dueDate: day("2026-05-11") }, "due"), null, "another occurrence");
  equal(change({ title: "y", repetition: {} }, "title", "repetition"), null, "another repetition");
  equal(change({}, "due"), null, "no due date");
  equal(occurrenceChange(item("x"), { fields: { title: "y" }, paths: ["title"] }, now), null, "an item that does not repeat");
});

test("a time zone is known or not", () =>
  equal(["Europe/Berlin", "", undefined, "Mars/Olympus_Mons"].map(knowsZone), [true, true, true, false]));

test("an occurrence has the fields of its item, and those that the edit changes", () => {
  const coordinate = { latitude: 48.1, longitude: 11.6 };
  const location = { name: "Rossi", address: "Via 1", coordinate, source: "gazetteer" };
  const fields = { dueDate: day("2026-05-04"), tags: ["a"], description: "note", location, repetition: {} };
  const of = (fields, ...paths) => occurrenceOf(dinner, { fields, paths });
  const dinner = item("Dinner", fields);
  const found = of({ title: "Lunch", dueTime: at("2026-05-05", "12:00") }, "title", "due", "description");
  equal(
    [found.title, found.dueDate, found.dueTime, found.tags, found.description, found.repetition],
    ["Lunch", undefined, at("2026-05-05", "12:00"), ["a"], undefined, undefined],
  );
  equal(found.location.coordinate, coordinate);
  const places = ["location.name", "location.address"];
  equal(of({ location: { name: "Bar", address: "Via 1" } }, ...places).location.coordinate, coordinate, "another name");
  const other = { name: "Bar", address: "Via 2" };
  equal(of({ location: other }, ...places).location, other, "another address");
  equal(of({}, ...places).location, undefined, "no place");
  const own = item("Dinner", { ...fields, location: { name: "Rossi", address: "Via 1", coordinate } });
  const kept = occurrenceOf(own, { fields: { location: other }, paths: places }).location;
  equal(kept, { coordinate, ...other }, "another address, but a coordinate that the user has set");
});

test("a form says what is wrong", () => {
  const draft = draftOf(item("x"));
  const wrong = (values) => Object.keys(problemsOf({ ...draft, ...values }));
  equal(
    [
      wrong({}),
      wrong({ title: " " }),
      wrong({ time: "10:00" }),
      wrong({ reminders: [{ secondsBefore: "60" }] }),
      wrong({ reminders: [{ place: "PLACE_TRIGGER_ARRIVING" }] }),
      wrong({ repeat: { kind: "rule", count: "1" } }),
      wrong({ repeat: { kind: "after", count: "0" } }),
    ],
    [[], ["title"], ["date"], ["reminders"], ["reminders"], ["date"], ["repeat"]],
  );
});

// MARK: Words, maps, elements, keys

test("repetitions and reminders have words", () => {
  equal(
    [
      "FREQ=WEEKLY;BYDAY=TU,FR",
      "FREQ=DAILY;INTERVAL=3",
      "FREQ=MONTHLY;BYMONTHDAY=-1",
      "FREQ=MONTHLY;BYDAY=2MO",
      "FREQ=YEARLY;COUNT=3",
    ].map((recurrenceRule) => repetitionText({ recurrenceRule })),
    [
      "every week on Tuesday and Friday",
      "every 3 days",
      "every month on the last",
      "every month on the 2nd Monday",
      "every year, 3 times",
    ],
  );
  equal(repetitionText({ afterDone: { count: 3, unit: "FREQUENCY_DAILY" } }), "3 days after done");
  equal(
    [{ secondsBefore: "5400" }, {}, { day: { daysBefore: 1, minuteOfDay: 1080 } }, { place: "PLACE_TRIGGER_LEAVING" }].map(
      (reminder) => reminderText(reminder, now),
    ),
    ["90 minutes before", "when due", "day before 18:00", "when leaving"],
  );
});

test("a map finds the coordinate of a point", () => {
  const projection = new Projection({ center: { latitude: 48, longitude: 179 }, radius: 500 }, 300, 200);
  const [x, y] = projection.point({ latitude: 50, longitude: -178 });
  const found = projection.coordinate(x, y);
  near(found.latitude, 50, 1e-9);
  near(found.longitude, -178, 1e-9);
  equal([projection.width / 2, projection.height / 2], projection.point({ latitude: 48, longitude: 179 }));
});

test("the lines of the world are differences", () => {
  const lines = { unitsPerDegree: 100, coasts: [[100, 200, 50, -50, 1, 1]] };
  const { coasts, borders, towns } = readWorld(lines, { unitsPerDegree: 10, towns: [["Rome", 419, 125]] });
  equal(
    [coasts.map((line) => [...line]), borders, towns],
    [[[1, 2, 1.5, 1.5, 1.51, 1.51]], [], [{ name: "Rome", latitude: 41.9, longitude: 12.5 }]],
  );
});

test("a map shows places on both sides of the date line", () => {
  const view = viewOf([
    { latitude: 0, longitude: 179 },
    { latitude: 0, longitude: -179 },
  ]);
  near(Math.abs(view.center.longitude), 180, 1e-9);
  if (view.radius > 200) throw new Error(`the radius is ${view.radius}`);
  near(distance({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 }), 111.195, 0.001);
});

test("text never becomes markup, and elements keep their identity", () => {
  const parent = document.createElement("div");
  document.body.append(parent);
  const evil = "<img src=x onerror=window.hacked=1>";
  patch(parent, [h("input", { key: "a", title: evil, "aria-label": evil }), h("p", null, evil)]);
  equal([parent.querySelectorAll("img").length, parent.lastChild.textContent], [0, evil]);
  const input = parent.firstChild;
  input.focus();
  patch(parent, [h("b", { key: "new" }, "first"), h("input", { key: "a" }), h("p", null, "x")]);
  equal([parent.children[1] === input, document.activeElement === input, input.hasAttribute("title")], [true, true, false]);
  parent.remove();
});

test("a select shows the option with no value", () => {
  const parent = document.createElement("div");
  patch(parent, [h("select", { value: "" }, h("option", { value: "" }, "Any"), h("option", { value: "x" }, "One"))]);
  equal([parent.firstChild.selectedIndex, parent.firstChild.value], [0, ""]);
});

test("each key of a part of the page is listed once", () => {
  for (const [title, list] of keyTable) {
    const keys = list.flatMap(([names]) => names.split(" "));
    equal(keys.length, new Set(keys).size, title);
  }
  equal(dayEnd(dayNumber(now)) > now, true);
});

/** The names of keys as events have them. */
const eventNames = { "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", Esc: "Escape", Space: " " };

function keyEvents(name) {
  const range = /^(\d)-(\d)$/.exec(name);
  if (range) return Array.from({ length: range[2] - range[1] + 1 }, (_, index) => ({ key: String(Number(range[1]) + index) }));
  const [, modifier, key] = /^(?:(Ctrl|Shift)-)?(.+)$/.exec(name);
  const text = modifier === "Ctrl" && key.length === 1 ? key.toLowerCase() : key;
  return [{ key: eventNames[text] ?? text, ctrlKey: modifier === "Ctrl", shiftKey: modifier === "Shift" }];
}

test("each key of the table has an effect in its part of the page", () => {
  // What the browser does by itself.
  const native = new Set(["wheel", "Tab", "Shift-Tab"]);
  const item = readItem({ id: "a", title: "One" });
  const list = { ...initialState, now, selection: "a", isSearching: true };
  const loaded = reduce(list, { type: "page", items: [{ id: "a", title: "One" }], revision: 1, incarnation: "1" });
  const parts = {
    List: loaded,
    Item: { ...loaded, panel: { kind: "item", id: item.id } },
    Form: { ...loaded, panel: { kind: "form", draft: { date: "" } } },
    Map: { ...loaded, screen: "map" },
    Everywhere: loaded,
  };
  const panes = document.createElement("div");
  panes.innerHTML = '<nav id="menu">menu</nav><main id="main">main</main>';
  document.body.append(panes);
  const store = { state: initialState, dispatch() {}, focus() {} };
  const actions = new Proxy({}, { get: () => () => {} });
  new Keys(store, actions);
  for (const [title, rows] of keyTable) {
    store.state = parts[title];
    for (const name of rows.flatMap(([names]) => names.split(" ")).filter((name) => !native.has(name))) {
      for (const values of keyEvents(name)) {
        const event = new KeyboardEvent("keydown", { ...values, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        equal(event.defaultPrevented, true, `${title}: ${name}`);
      }
    }
  }
  store.state = { ...initialState, connection: "signedOut" };
  panes.remove();
});

test("messages are kept, the latest one first, and end with the session", () => {
  let state = initialState;
  for (let index = 0; index < 60; index += 1)
    state = reduce(state, { type: "notice", notice: { id: String(index), text: `Text ${index}`, time: index } });
  state = reduce(state, { type: "notice", notice: null });
  state = reduce(state, { type: "done", entry: {}, notice: { id: "x", text: "Done", time: 60 } });
  equal([state.messages.length, state.messages[0].text, state.messages[49].text], [50, "Done", "Text 11"]);
  equal(reduce(state, { type: "signedOut" }).messages.length, 0);
});

window.results = [];
for (const [name, body] of tests) {
  try {
    await body();
    window.results.push([name, null]);
  } catch (error) {
    window.results.push([name, `${error.message}`]);
  }
}
window.finished = true;
