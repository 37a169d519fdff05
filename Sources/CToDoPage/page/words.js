// The fields of items in words.

import { dueText, timeText } from "./dates.js";
import { dateText } from "./items.js";

export const priorityWords = ["none", "low", "medium", "high"];
const units = { FREQUENCY_DAILY: "day", FREQUENCY_WEEKLY: "week", FREQUENCY_MONTHLY: "month", FREQUENCY_YEARLY: "year" };
const ruleUnits = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };
const weekdays = { MO: "Monday", TU: "Tuesday", WE: "Wednesday", TH: "Thursday", FR: "Friday", SA: "Saturday", SU: "Sunday" };
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const granularities = {
  GRANULARITY_HOUSE: "building",
  GRANULARITY_STREET: "street",
  GRANULARITY_LOCALITY: "town center",
  GRANULARITY_REGION: "region",
  GRANULARITY_COUNTRY: "country",
};

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
export const granularityText = (granularity) => granularities[granularity] ?? "";

const every = (count, unit) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`);
const ordinal = (number) => {
  if (number < 0) return number === -1 ? "last" : `${ordinal(-number)} to last`;
  const ending = number % 100 > 10 && number % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
};
const joined = (words) => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** Returns a repetition in words, such as `every 2 weeks on Tuesday`. */
export function repetitionText({ recurrenceRule, afterDone }) {
  if (afterDone) return `${afterDone.count ?? 0} ${units[afterDone.unit]}${afterDone.count === 1 ? "" : "s"} after done`;
  const parts = Object.fromEntries((recurrenceRule ?? "").split(";").map((part) => part.split("=")));
  if (!ruleUnits[parts.FREQ]) return recurrenceRule ?? "";
  let text = every(Number(parts.INTERVAL ?? 1), ruleUnits[parts.FREQ]);
  if (parts.BYDAY) text += ` on ${joined(parts.BYDAY.split(",").map(weekdayText))}`;
  if (parts.BYMONTHDAY) text += ` on the ${joined(parts.BYMONTHDAY.split(",").map((number) => ordinal(Number(number))))}`;
  if (parts.BYMONTH) text += ` in ${joined(parts.BYMONTH.split(",").map((number) => months[number - 1]))}`;
  if (parts.COUNT) text += `, ${parts.COUNT} times`;
  if (parts.UNTIL) text += ` until ${parts.UNTIL.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3")}`;
  return text;
}

function weekdayText(text) {
  const [, number, weekday] = /^([-+]?\d*)(..)$/.exec(text) ?? [];
  return number ? `the ${ordinal(Number(number))} ${weekdays[weekday]}` : (weekdays[weekday] ?? text);
}

/** Returns a reminder in words, such as `1 hour before`. */
export function reminderText(reminder, now) {
  if (reminder.time) return timeText(Date.parse(reminder.time), now);
  if (reminder.place) return reminder.place === "PLACE_TRIGGER_LEAVING" ? "when leaving" : "when arriving";
  if (reminder.day) {
    const { daysBefore = 0, minuteOfDay = 0 } = reminder.day;
    const time = `${String(Math.floor(minuteOfDay / 60)).padStart(2, "0")}:${String(minuteOfDay % 60).padStart(2, "0")}`;
    return `${daysBefore === 0 ? "same day" : daysBefore === 1 ? "day before" : `${daysBefore} days before`} ${time}`;
  }
  const seconds = Number(reminder.secondsBefore ?? 0);
  if (seconds === 0) return "when due";
  for (const [size, unit] of [
    [604_800, "week"],
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ]) {
    if (seconds % size === 0) return `${plural(seconds / size, unit)} before`;
  }
  return "";
}

/** Returns where an item is, in one line. */
export function placeText(place) {
  if (!place) return "";
  return place.name || place.address || coordinateText(place.coordinate);
}

export const coordinate = ({ latitude = 0, longitude = 0 }) => ({ latitude, longitude });
export function coordinateText(value) {
  const { latitude, longitude } = coordinate(value);
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

// MARK: - History

const causes = {
  PUT_CAUSE_ADDED: "added",
  PUT_CAUSE_EDITED: "edited",
  PUT_CAUSE_CHECKED: "checked",
  PUT_CAUSE_UNCHECKED: "unchecked",
  PUT_CAUSE_LOCATED: "found the place",
  PUT_CAUSE_RESTORED: "restored",
  PUT_CAUSE_REVERTED: "undid a change",
};
const fieldNames = {
  title: "title",
  description: "note",
  due: "due",
  "location.name": "place",
  "location.address": "address",
  "location.coordinate": "coordinate",
  tags: "tags",
  priority: "priority",
  steps: "steps",
  wait_time: "waits until",
  repetition: "repeats",
  reminders: "reminders",
};

export const causeText = (change) => (change.deleted ? "deleted" : (causes[change.cause] ?? "edited"));

/** Returns a changed field in words, such as `due: none → tomorrow`. */
export function fieldChangeText({ field, from, to }, now) {
  const name = fieldNames[field];
  return name ? `${name}: ${valueText(from, now)} → ${valueText(to, now)}` : "";
}

function valueText(value, now) {
  if (!value) return "none";
  if (value.text !== undefined) return value.text || "none";
  if (value.dueTime) return timeText(Date.parse(value.dueTime), now);
  if (value.dueDate) return dueText({ date: dateText(value.dueDate) }, now);
  return value.coordinate ? coordinateText(value.coordinate) : "";
}
