// When an item that repeats is due next, by the rules of the server: see Occurrences.swift.

import { parseDate, isoDate } from "./dates.js";
import { dateJSON, dateText } from "./items.js";

const day = 86_400_000;
const weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** The calendar repeats itself after this number of days. */
const searchedDays = 146_097;
const lastDay = parseDate("9999-12-31");

/** Whether the browser knows a time zone, so that this module can compute with it. */
export function knowsZone(zone) {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: zone || "UTC" }));
  } catch {
    return false;
  }
}

const formats = new Map();
/** Returns by how much local time is ahead of UTC. */
function offset(instant, zone) {
  if (!formats.has(zone)) {
    const digits = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };
    formats.set(zone, new Intl.DateTimeFormat("en-US", { ...digits, hourCycle: "h23", era: "short", timeZone: zone || "UTC" }));
  }
  const parts = Object.fromEntries(
    formats
      .get(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const local = new Date(0);
  local.setUTCFullYear(parts.era === "BC" ? 1 - parts.year : Number(parts.year), parts.month - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}

const localDay = (instant, zone) => Math.floor((instant + offset(instant, zone)) / day);

/** Returns the instant of a local time: the earlier of two, and later by the gap if clocks are set forward over it. */
function instantAt(local, zone) {
  const candidates = [local - day, local + day].map((other) => local - offset(other, zone));
  const valid = candidates.filter((instant) => instant + offset(instant, zone) === local);
  return valid.length ? Math.min(...valid) : candidates[0];
}

/** Returns the parts of a rule of RFC 5545. */
export function readRule(text) {
  const parts = Object.fromEntries(text.split(";").map((part) => part.split("=")));
  const numbers = (list) => (list ? list.split(",").map(Number) : []);
  const weekdays = (parts.BYDAY?.split(",") ?? []).map((name) => ({
    weekday: weekdayNames.indexOf(name.slice(-2)),
    ordinal: Number(name.slice(0, -2)),
  }));
  return {
    frequency: parts.FREQ,
    interval: Number(parts.INTERVAL ?? 1),
    months: numbers(parts.BYMONTH),
    monthDays: numbers(parts.BYMONTHDAY),
    weekdays,
    count: parts.COUNT ? Number(parts.COUNT) : null,
    until: parts.UNTIL ?? null,
    weekStart: Math.max(0, weekdayNames.indexOf(parts.WKST)),
    clamps: parts.SKIP === "BACKWARD",
  };
}

/** Returns a rule of RFC 5545 with these parts, in the form of the server. */
export function ruleText(rule) {
  const sorted = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
  const byDay = [...rule.weekdays].sort((a, b) => a.weekday - b.weekday || a.ordinal - b.ordinal);
  const parts = {
    RSCALE: rule.clamps ? "GREGORIAN" : "",
    FREQ: rule.frequency,
    INTERVAL: rule.interval === 1 ? "" : rule.interval,
    BYMONTH: sorted(rule.months),
    BYMONTHDAY: sorted(rule.monthDays),
    BYDAY: byDay.map(({ weekday, ordinal }) => `${ordinal || ""}${weekdayNames[weekday]}`),
    COUNT: rule.count ?? "",
    UNTIL: rule.until ?? "",
    WKST: rule.weekStart ? weekdayNames[rule.weekStart] : "",
    SKIP: rule.clamps ? "BACKWARD" : "",
  };
  const texts = Object.entries(parts).map(([name, value]) => [name, String(value)]);
  return texts
    .filter(([, value]) => value)
    .map((part) => part.join("="))
    .join(";");
}

/** Returns a day with its number since 1970 and its parts. Weekdays begin with 0 for Monday. */
export function calendarDay(number) {
  const date = new Date(number * day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  return { number, year, month, date: date.getUTCDate(), weekday: (((number + 3) % 7) + 7) % 7 };
}

const firstOf = (year, month) => parseDate(`${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-01`);
export const monthLength = ({ year, month }) => firstOf(...nextMonth({ year, month })) - firstOf(year, month);
const nextMonth = ({ year, month }) => (month === 12 ? [year + 1, 1] : [year, month + 1]);

/** Returns whether a day is one of a rule that starts on another. */
function isDescribed(rule, start, at) {
  const { frequency, interval, months, monthDays, weekdays } = rule;
  const isByMonth = frequency === "MONTHLY" || frequency === "YEARLY";
  const isOnStart = !weekdays.length && !monthDays.length;
  if (months.length ? !months.includes(at.month) : frequency === "YEARLY" && isOnStart && at.month !== start.month) return false;
  const startWeek = start.number - ((start.weekday - rule.weekStart + 7) % 7);
  const units = {
    DAILY: at.number - start.number,
    WEEKLY: Math.floor((at.number - startWeek) / 7),
    MONTHLY: (at.year - start.year) * 12 + at.month - start.month,
    YEARLY: at.year - start.year,
  };
  if (units[frequency] % interval) return false;
  const length = monthLength(at);
  const dates = isByMonth && isOnStart ? [start.date] : monthDays;
  const dateOf = (date) => (date < 0 ? length + 1 + date : rule.clamps && isByMonth ? Math.min(date, length) : date);
  if (dates.length && !dates.some((date) => dateOf(date) === at.date)) return false;
  const days = frequency === "WEEKLY" && !weekdays.length ? [{ weekday: start.weekday, ordinal: 0 }] : weekdays;
  return !days.length || days.some((entry) => isWeekday(entry, at, frequency === "YEARLY" && !months.length));
}

/** Returns whether a day is a weekday with its number in the month, or in the year. */
function isWeekday({ weekday, ordinal }, at, isInYear) {
  if (at.weekday !== weekday) return false;
  if (ordinal === 0) return true;
  const [start, end] = isInYear
    ? [firstOf(at.year, 1), firstOf(at.year + 1, 1)]
    : [firstOf(at.year, at.month), firstOf(...nextMonth(at))];
  return ordinal > 0 ? Math.floor((at.number - start) / 7) === ordinal - 1 : Math.floor((end - 1 - at.number) / 7) === -ordinal - 1;
}

/** A due date as this module computes with it: `{time}` in milliseconds, or `{day}` since 1970. */
export const known = (time, date) => (time ? { time: Date.parse(time) } : date ? { day: parseDate(dateText(date)) } : null);
export const dayOf = (due, zone) => due.day ?? localDay(due.time, zone);

/** Returns the due date of an item in this form. */
export const dueOf = ({ due }) => due && (due.time === undefined ? { day: parseDate(due.date) } : { time: due.time });

/** Returns the occurrences of a rule from a day on, the first one first. */
export function* occurrences(rule, start, zone, from) {
  const first = calendarDay(dayOf(start, zone));
  const clock = start.time === undefined ? null : start.time + offset(start.time, zone) - first.number * day;
  const limit = until(rule.until, clock === null, zone);
  let count = 0;
  const begin = rule.count ? first.number : Math.max(from, first.number);
  const end = Math.min(lastDay, limit.day, Math.max(from, begin) + searchedDays);
  for (let number = begin; number <= end; number += 1) {
    if (number !== first.number && !isDescribed(rule, first, calendarDay(number))) continue;
    count += 1;
    if (rule.count && count > rule.count) return;
    if (number < from) continue;
    const due = number === first.number ? start : clock === null ? { day: number } : { time: instantAt(number * day + clock, zone) };
    if (due.time > limit.time) return;
    yield { number, due };
  }
}

/** Returns the last day and the last time of a rule. */
function until(text, isOfDays, zone) {
  if (!text) return { day: Infinity, time: Infinity };
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text) ?? [];
  const iso = `${year}-${month}-${date}`;
  if (!hour) return { day: parseDate(iso), time: Infinity };
  const time = Date.parse(`${iso}T${hour}:${minute}:${second}Z`);
  return isOfDays ? { day: localDay(time, zone), time: Infinity } : { day: localDay(time, zone) + 1, time };
}

/** Returns the due date of the occurrence after the present one that is not overdue, or null if there is none. */
function next(repetition, due, now) {
  const zone = repetition.timeZone ?? "";
  if (repetition.afterDone) return afterDone(repetition.afterDone, due, now, zone);
  const present = known(repetition.occurrenceTime, repetition.occurrenceDate) ?? due;
  const start = known(repetition.startTime, repetition.startDate) ?? due;
  if (!present) return null;
  const [today, presentDay] = [localDay(now, zone), dayOf(present, zone)];
  const isLater = ({ due: { time }, number }) =>
    time !== undefined && present.time !== undefined ? time > present.time : number > presentDay;
  const isNotOverdue = ({ due: { time }, number }) => (time === undefined ? number >= today : time >= now);
  const from = Math.max(presentDay, today) - 1;
  for (const found of occurrences(readRule(repetition.recurrenceRule), start, zone, from))
    if (isLater(found) && isNotOverdue(found)) return found.due;
  return null;
}

function afterDone({ count = 0, unit }, due, now, zone) {
  const today = calendarDay(localDay(now, zone));
  const months = { FREQUENCY_MONTHLY: 1, FREQUENCY_YEARLY: 12 }[unit];
  let number = today.number + count * (unit === "FREQUENCY_WEEKLY" ? 7 : 1);
  if (months) {
    const index = today.year * 12 + today.month - 1 + count * months;
    const target = { year: Math.floor(index / 12), month: (index % 12) + 1 };
    const first = firstOf(target.year, target.month);
    number = first + Math.min(today.date, monthLength(target)) - 1;
  }
  if (due?.time === undefined) return { day: number };
  const clock = due.time + offset(due.time, zone) - localDay(due.time, zone) * day;
  return { time: instantAt(number * day + clock, zone) };
}

/** Returns the fields that move an item on to its next occurrence, with their paths; null if there is none. */
export function skipped(item, now) {
  const { repetition } = item;
  const zone = repetition.timeZone ?? "";
  const due = dueOf(item);
  const following = next(repetition, due, now);
  if (!following) return null;
  const fields = following.time === undefined ? { dueDate: dateJSON(isoDate(following.day)) } : { dueTime: iso(following.time) };
  const paths = ["due"];
  if (item.steps.some(({ done }) => done)) {
    fields.steps = item.steps.map(({ text }) => ({ text }));
    paths.push("steps");
  }
  if (item.reminders.some(({ time, acknowledgedTime, snoozeTime }) => time || acknowledgedTime || snoozeTime)) {
    fields.reminders = item.reminders
      .filter(({ time }) => !time)
      .map(({ acknowledgedTime: _, snoozeTime: __, ...reminder }) => reminder);
    paths.push("reminders");
  }
  if (item.wait !== null) {
    const days = dayOf(following, zone) - (due ? dayOf(due, zone) : localDay(now, zone));
    fields.waitTime = iso(instantAt(item.wait + offset(item.wait, zone) + days * day, zone));
    paths.push("waitTime");
  }
  return { fields, paths };
}

const iso = (time) => new Date(time).toISOString();
