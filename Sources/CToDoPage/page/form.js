// The form of an item: its text in fields, and what saving them changes.

import { dateJSON, priorities } from "./items.js";
import { localParts, localTime, zone } from "./dates.js";
import { located } from "./item-actions.js";

const none = { kind: "none", count: "1", unit: "FREQUENCY_WEEKLY" };

/** Returns the fields of an item as texts. Without an item, they are empty. */
export function draftOf(item) {
  const due = item?.due?.time ? localParts(item.due.time) : { date: item?.due?.date ?? "", time: "" };
  const wait = item?.wait ? localParts(item.wait) : { date: "", time: "" };
  return {
    id: item?.id ?? null,
    title: item?.title ?? "",
    date: due.date,
    time: due.time,
    waitDate: wait.date,
    waitTime: wait.time === "00:00" ? "" : wait.time,
    tags: (item?.tags ?? []).join(" "),
    priority: String(item?.priority ?? 0),
    place: item?.place?.name ?? "",
    address: item?.place?.address ?? "",
    candidate: null,
    coordinate: item?.place?.coordinate ?? null,
    note: item?.note ?? "",
    steps: (item?.steps ?? []).map(({ text, done }) => (done ? `[x] ${text}` : text)).join("\n"),
    repeat: repeatOf(item?.repetition),
    reminders: item?.reminders ?? [],
  };
}

function repeatOf(repetition) {
  if (!repetition) return none;
  const { afterDone, recurrenceRule = "" } = repetition;
  if (afterDone) return { kind: "after", count: String(afterDone.count ?? 1), unit: afterDone.unit, original: repetition };
  const simple = /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=(\d+))?$/.exec(recurrenceRule);
  if (!simple) return { kind: "same", count: "1", unit: none.unit, original: repetition };
  return { kind: "rule", count: simple[2] ?? "1", unit: `FREQUENCY_${simple[1]}`, original: repetition };
}

/** Returns what is wrong with a draft, by field. */
export function problemsOf(draft) {
  const problems = {};
  if (!draft.title.trim()) problems.title = "Every item needs a title.";
  if (draft.time && !draft.date) problems.date = "A time needs a day.";
  if (draft.waitTime && !draft.waitDate) problems.waitDate = "A time needs a day.";
  if (draft.repeat.kind === "rule" && !draft.date) problems.date = "What repeats on certain days needs a first one.";
  if (!/^[1-9]\d{0,2}$/.test(draft.repeat.count)) problems.repeat = "Repeat every 1 to 999.";
  const needsTime = draft.reminders.some((reminder) => reminder.secondsBefore !== undefined || isWhenDue(reminder));
  if (needsTime && !draft.time) problems.reminders = "Reminders before the due time need a time.";
  if (draft.reminders.some(({ day }) => day) && !draft.date) problems.reminders = "Reminders on a day need a due day.";
  if (draft.reminders.some(({ place }) => place) && !draft.place && !draft.address && !draft.coordinate)
    problems.reminders = "Reminders at a place need a place.";
  return problems;
}

const isWhenDue = (reminder) => !reminder.time && !reminder.day && !reminder.place;

/** Returns the fields of a new item. */
export function fieldsOf(draft) {
  const fields = { title: draft.title.trim() };
  for (const part of Object.keys(parts)) Object.assign(fields, parts[part].fields(draft));
  return fields;
}

/** Returns the fields that differ from those of the original, and their paths. */
export function changesOf(draft, original) {
  const fields = {};
  const paths = [];
  for (const { names, path, fields: read } of Object.values(parts)) {
    if (names.every((name) => draft[name] === original[name])) continue;
    Object.assign(fields, read(draft));
    paths.push(...path);
  }
  return { fields, paths };
}

const parts = {
  title: { names: ["title"], path: ["title"], fields: ({ title }) => ({ title: title.trim() }) },
  due: {
    names: ["date", "time"],
    path: ["due"],
    fields: ({ date, time }) => (!date ? {} : time ? { dueTime: iso(date, time) } : { dueDate: dateJSON(date) }),
  },
  wait: {
    names: ["waitDate", "waitTime"],
    path: ["waitTime"],
    fields: ({ waitDate, waitTime }) => (waitDate ? { waitTime: iso(waitDate, waitTime || "00:00") } : {}),
  },
  tags: {
    names: ["tags"],
    path: ["tags"],
    fields: ({ tags }) => ({
      tags: tags
        .split(/[\s,]+/)
        .map((tag) => tag.replace(/^[#+]/, ""))
        .filter(Boolean),
    }),
  },
  priority: {
    names: ["priority"],
    path: ["priority"],
    fields: ({ priority }) => (priority === "0" ? {} : { priority: priorities[priority] }),
  },
  steps: {
    names: ["steps"],
    path: ["steps"],
    fields: ({ steps }) => ({
      steps: steps
        .split("\n")
        .map(step)
        .filter(({ text }) => text),
    }),
  },
  place: { names: ["place", "address", "candidate"], path: ["location.name", "location.address"], fields: placeFields },
  note: { names: ["note"], path: ["description"], fields: ({ note }) => (note ? { description: note } : {}) },
  repeat: { names: ["repeat"], path: ["repetition"], fields: repeatFields },
  reminders: { names: ["reminders"], path: ["reminders"], fields: ({ reminders }) => ({ reminders }) },
};

const iso = (date, time) => new Date(localTime(date, time)).toISOString();

function step(line) {
  const [, mark, text] = /^\s*(\[[xX ]\])?\s*(.*?)\s*$/.exec(line);
  return mark && mark !== "[ ]" ? { text, done: true } : { text };
}

function placeFields({ place, address, candidate }) {
  const location = {};
  if (place.trim()) location.name = place.trim();
  if (address.trim()) location.address = address.trim();
  if (!Object.keys(location).length) return {};
  return { location: candidate && location.address ? located(location, candidate) : location };
}

function repeatFields({ repeat, date }) {
  const { kind, count, unit, original } = repeat;
  if (kind === "none") return {};
  if (kind === "same") return { repetition: original };
  const timeZone = original?.timeZone ?? zone;
  if (kind === "after") return { repetition: { afterDone: { count: Number(count), unit }, timeZone } };
  const frequency = unit.slice("FREQUENCY_".length);
  // A day that a month does not have stands for its last one.
  const isLate = Number(date.slice(8)) > 28 && (frequency === "MONTHLY" || frequency === "YEARLY");
  const interval = count === "1" ? [] : [`INTERVAL=${count}`];
  const parts = isLate
    ? ["RSCALE=GREGORIAN", `FREQ=${frequency}`, ...interval, "SKIP=BACKWARD"]
    : [`FREQ=${frequency}`, ...interval];
  const rule = parts.join(";");
  return { repetition: { recurrenceRule: rule, timeZone } };
}

/** Returns the paths with that of a place that the user has confirmed. */
export function pathsWithPlace(paths, fields) {
  return fields.location?.geocoded ? [...paths, "location.coordinate"] : paths;
}
