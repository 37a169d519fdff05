// Items as the page holds them: the JSON of the server with numbers for numbers, and the orders of the list.

import { dayEnd, dayNumber, parseDate } from "./dates.js";

export const priorities = ["PRIORITY_UNSPECIFIED", "PRIORITY_LOW", "PRIORITY_MEDIUM", "PRIORITY_HIGH"];
const noTags = Object.freeze([]);

/** Returns an item of the server's JSON. */
export function readItem(json) {
  const item = {
    id: json.id,
    title: json.title ?? "",
    note: json.description ?? "",
    due: null,
    dueKey: Infinity,
    place: json.location ?? null,
    done: json.done === true,
    created: time(json.createTime),
    updated: time(json.updateTime),
    completed: time(json.completeTime),
    deleted: time(json.deleteTime),
    expires: time(json.expireTime),
    revision: Number(json.revision ?? 0),
    number: Number(json.number ?? 0),
    tags: json.tags ?? noTags,
    priority: Math.max(0, priorities.indexOf(json.priority)),
    steps: json.steps ?? noTags,
    wait: time(json.waitTime),
    repetition: json.repetition ?? null,
    reminders: json.reminders ?? noTags,
  };
  if (json.dueTime) {
    item.due = { time: time(json.dueTime) };
    item.dueKey = item.due.time;
  } else if (json.dueDate) {
    item.due = { date: dateText(json.dueDate) };
    // A day counts until it ends where the reader is, and before a time at its end.
    item.dueKey = dayEnd(parseDate(item.due.date)) - 1;
  }
  return item;
}

const time = (text) => (text ? Date.parse(text) : null);
const pad = (number, width) => String(number).padStart(width, "0");
export const dateText = ({ year = 1, month = 1, day = 1 }) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;

/** Returns the date of the schema for a text such as 2026-05-01. */
export function dateJSON(text) {
  const [year, month, day] = text.split("-").map(Number);
  return { year, month, day };
}

/** Whether an incomplete item waits. */
export const isWaiting = (item, now) => !item.done && item.wait !== null && item.wait > now;
/** Whether an item is late: a due time has passed, or a due day has ended. */
export const isOverdue = (item, now) => !item.done && item.dueKey < now;

/** Items by their IDs, of which a changed copy costs little: only the parts that change are copied. */
export class ItemTable {
  #parts;
  size = 0;

  constructor(items = [], parts = Array.from({ length: ItemTable.#count }, () => new Map())) {
    this.#parts = parts;
    for (const item of items) this.#parts[ItemTable.#index(item.id)].set(item.id, item);
    for (const part of parts) this.size += part.size;
  }

  static #count = 256;
  /** The last digits of an ID are random. */
  static #index(id) {
    return parseInt(id.slice(-2), 16) & 255 || 0;
  }

  get(id) {
    return this.#parts[ItemTable.#index(id)].get(id);
  }

  *values() {
    for (const part of this.#parts) yield* part.values();
  }

  /** Returns a table with changes: pairs of an ID and its item, or undefined to remove it. */
  with(changes) {
    const parts = [...this.#parts];
    for (const [id, item] of changes) {
      const index = ItemTable.#index(id);
      if (parts[index] === this.#parts[index]) parts[index] = new Map(parts[index]);
      if (item) parts[index].set(id, item);
      else parts[index].delete(id);
    }
    return new ItemTable([], parts);
  }
}

// MARK: - Orders

const byID = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const collator = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
const byDue = (a, b) => compare(a.dueKey, b.dueKey) || a.created - b.created || byID(a, b);
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export const orders = {
  due: { name: "due date", compare: byDue },
  title: { name: "title", compare: (a, b) => collator.compare(a.title, b.title) || byID(a, b) },
  created: { name: "creation", compare: (a, b) => a.created - b.created || byID(a, b) },
  changed: { name: "last change", compare: (a, b) => b.updated - a.updated || byID(a, b) },
  priority: { name: "priority", compare: (a, b) => b.priority - a.priority || byDue(a, b) },
  urgency: { name: "urgency" },
};

const byCompletion = (a, b) => b.completed - a.completed || byID(a, b);

const wholeDays = (from, to) => Math.floor((to - from) / 86_400_000);
const within = (number, least, most) => Math.min(Math.max(number, least), most);

/** Returns how urgent an item is, by the formula of Protos/API.md. */
export function urgency(item, now) {
  if (item.done) return 0;
  const age = within(wholeDays(item.created, now), 0, 365);
  let points = item.priority * 2000 + Math.floor((2000 * age) / 365);
  if (item.due) {
    const past = item.due.date ? dayNumber(now) - parseDate(item.due.date) : wholeDays(item.due.time, now);
    points += 2400 + Math.floor((9600 * within(past + 14, 0, 21)) / 21);
  }
  return points;
}

/** Returns the comparison of incomplete or done items in an order. */
export function comparison(order, isReversed, isDone, now) {
  let rank = isDone && order === "due" ? byCompletion : orders[order].compare;
  if (order === "urgency") {
    const points = new Map();
    const of = (item) => {
      if (!points.has(item)) points.set(item, urgency(item, now));
      return points.get(item);
    };
    rank = (a, b) => of(b) - of(a) || byDue(a, b);
  }
  return isReversed ? (a, b) => rank(b, a) : rank;
}

/** Returns where an item is, or belongs, in sorted rows. */
export function position(rows, item, rank) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rank(rows[middle], item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// MARK: - Sections

const names = { overdue: "Overdue", today: "Today", next: "Next", later: "Later", todo: "To do", waiting: "Waiting", done: "Done" };

/** Divides sorted rows into the sections of the list, as `todo ui` does. */
export function sections({ todo, done }, { order, reversed, showsWaiting, now }) {
  let active = todo;
  let waiting = [];
  if (todo.some((item) => isWaiting(item, now))) {
    active = todo.filter((item) => !isWaiting(item, now));
    waiting = todo.filter((item) => isWaiting(item, now));
  }
  const found = order === "due" && !reversed ? dueSections(active, now) : [];
  // Without due dates that are near, there is nothing to divide.
  if (found.every(({ id, items }) => id === "later" || items.length === 0))
    found.splice(0, Infinity, { id: "todo", items: active });
  if (showsWaiting) found.push({ id: "waiting", items: waiting });
  found.push({ id: "done", items: done });
  const shown = found.filter(({ items, id }) => items.length > 0 || (id === "todo" && done.length === 0 && waiting.length === 0));
  return { waitingCount: waiting.length, sections: shown.map((section) => ({ ...section, name: names[section.id] })) };
}

function dueSections(rows, now) {
  const today = dayNumber(now);
  const ends = [now, dayEnd(today), dayEnd(today + 7)];
  const starts = ends.map((end) => first(rows, (item) => item.dueKey >= end));
  const bounds = [0, ...starts, rows.length];
  return ["overdue", "today", "next", "later"].map((id, index) => ({ id, items: rows.slice(bounds[index], bounds[index + 1]) }));
}

function first(rows, matches) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(rows[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

// MARK: - Search

const folds = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", ς: "σ" };
const folded = new WeakMap();

/** Returns a text as the search compares it: without case and accents. */
export function fold(text) {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[ßæœøđðłħıς]/g, (letter) => folds[letter]);
}

function searchText(item) {
  let text = folded.get(item);
  if (text === undefined) {
    text = fold([item.title, item.note, item.place?.name ?? "", item.place?.address ?? ""].join("\n"));
    folded.set(item, text);
  }
  return text;
}

/** Returns whether an item passes the search and the filter, or null if there is neither. */
export function matcher({ text, due, place, marks }, now) {
  const tests = [];
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length)
    tests.push((item) => {
      const whole = searchText(item);
      return words.every((word) => whole.includes(word));
    });
  const places = fold(place).split(/\s+/).filter(Boolean);
  if (places.length) {
    tests.push((item) => {
      const whole = fold(`${item.place?.name ?? ""}\n${item.place?.address ?? ""}`);
      return item.place !== null && places.every((word) => whole.includes(word));
    });
  }
  if (due) tests.push(dueTest(due, now));
  for (const mark of marks.split(/[\s,]+/).filter(Boolean)) tests.push(markTest(mark));
  return tests.length ? (item) => tests.every((test) => test(item)) : null;
}

function dueTest(due, now) {
  const today = dayNumber(now);
  switch (due) {
    case "overdue":
      return (item) => isOverdue(item, now);
    case "today":
      return (item) => item.dueKey >= dayEnd(today - 1) && item.dueKey < dayEnd(today);
    case "week":
      return (item) => item.dueKey < dayEnd(today + 7);
    default:
      return (item) => item.due === null;
  }
}

/** A mark is a tag, such as `work` or `#work`, a tag that items must not have, `-work`, or a priority, `!!`. */
function markTest(mark) {
  if (/^!{1,3}$/.test(mark)) return (item) => item.priority === mark.length;
  const isExcluded = mark.startsWith("-");
  const tag = mark.replace(/^[-+#]/, "").toLowerCase();
  return (item) => isExcluded !== item.tags.some((own) => `${own.toLowerCase()}/`.startsWith(`${tag}/`));
}

/** Returns the tags of incomplete items with how many have each, by name. */
export function tagCounts(items) {
  const counts = new Map();
  for (const item of items) {
    for (const tag of item.tags) {
      const key = tag.toLowerCase();
      const entry = counts.get(key) ?? { tag, count: 0 };
      entry.count += 1;
      counts.set(key, entry);
    }
  }
  return [...counts.values()].sort((a, b) => collator.compare(a.tag, b.tag));
}
