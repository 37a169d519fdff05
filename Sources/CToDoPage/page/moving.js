// What an edit of an item that repeats can mean, and how a rule follows to another date: see Repetition+Moving.swift.

import { dateJSON, priorities } from "./items.js";
import { calendarDay, dayOf, dueOf, known, monthLength, occurrences, readRule, ruleText, skipped } from "./occurrences.js";

/**
 * Returns what an edit can mean: `only` are the fields that move the item on, if the present occurrence becomes an item of its own,
 * and `following` is the repetition with which all following occurrences move. Null if there is nothing to choose.
 */
export function occurrenceChange(item, { fields, paths }, now) {
  if (!item.repetition || paths.includes("repetition")) return null;
  const only = !item.done && paths.some((path) => path !== "due") ? skipped(item, now) : null;
  const [old, due] = [dueOf(item), paths.includes("due") ? known(fields.dueTime, fields.dueDate) : null];
  const isMove = old && due && item.repetition.recurrenceRule && !isOccurrence(item.repetition, old, due);
  const following = isMove ? moved(item.repetition, old, due) : null;
  return only || following ? { only, following } : null;
}

/** Returns the present occurrence with an edit, as a new item that does not repeat. */
export function occurrenceOf(item, { fields, paths }) {
  const content = { title: item.title, description: item.note, priority: priorities[item.priority] };
  for (const name of ["tags", "steps", "reminders"]) content[name] = item[name];
  if (item.due?.date) content.dueDate = dateJSON(item.due.date);
  else if (item.due) content.dueTime = new Date(item.due.time).toISOString();
  if (item.wait !== null) content.waitTime = new Date(item.wait).toISOString();
  if (paths.includes("due")) [content.dueDate, content.dueTime] = [];
  for (const path of paths) delete content[path];
  return { ...content, ...fields, location: locationOf(item.place ?? {}, { fields, paths }) };
}

function locationOf({ name, address, ...place }, { fields: { location = {} }, paths }) {
  const isChanged = paths.some((path) => path.startsWith("location."));
  // A coordinate without a source is one that the user has set: it is no address's.
  const isKept = !isChanged || !place.source || (location.address ?? "") === (address ?? "");
  const found = isKept ? { ...place, ...(place.source ? { geocoded: true } : {}) } : {};
  const whole = { ...found, ...(isChanged ? location : { name, address }) };
  return Object.values(whole).some((part) => part !== undefined) ? whole : undefined;
}

/** Whether a due date is an occurrence of the rule: the present one, or a later one. */
function isOccurrence(repetition, old, due) {
  const zone = repetition.timeZone ?? "";
  let own = known(repetition.occurrenceTime, repetition.occurrenceDate) ?? old;
  const start = known(repetition.startTime, repetition.startDate) ?? own;
  const day = dayOf(due, zone);
  if (day > dayOf(own, zone)) {
    const [later] = occurrences(readRule(repetition.recurrenceRule), start, zone, day);
    if (later?.number === day) own = later.due;
  }
  return own.day === due.day && own.time === due.time;
}

/** Returns the repetition with which an occurrence moves to another due date together with all following ones, or null. */
export function moved(repetition, old, due) {
  const { startTime, startDate, occurrenceTime, occurrenceDate, ...rest } = repetition;
  if (rest.afterDone) return rest;
  const zone = rest.timeZone ?? "";
  const rule = readRule(rest.recurrenceRule);
  const from = calendarDay(dayOf(known(occurrenceTime, occurrenceDate) ?? old, zone));
  const to = calendarDay(dayOf(due, zone));
  if (rule.count) {
    const start = known(startTime, startDate) ?? old;
    let earlier = 0;
    for (const { number } of occurrences(rule, start, zone, -Infinity)) {
      if (number >= from.number) break;
      earlier += 1;
    }
    if (earlier >= rule.count) return null;
    rule.count -= earlier;
  }
  const skipsMonths = rule.monthDays.some((date) => Math.abs(date) > 28);
  if (from.number !== to.number && !follow(rule, from, to)) return null;
  // As in `every month on the 31st`. A rule that already had such a day was written to omit the months that lack it.
  if (rule.frequency === "MONTHLY" && !skipsMonths && rule.monthDays.some((date) => date > 28)) rule.clamps = true;
  if (from.date <= 28) keepDay(rule, to);
  return { ...rest, recurrenceRule: ruleText(rule) };
}

/** Makes a rule in months or years that names no days fall on the last day of a month that lacks a date's day. */
function keepDay(rule, { month, date }) {
  if (rule.weekdays.length || rule.monthDays.length || rule.months.length || date <= 28) return;
  const isYearly = rule.frequency === "YEARLY" && month === 2;
  if (!isYearly && rule.frequency !== "MONTHLY") return;
  [rule.monthDays, rule.clamps] = [[date], true];
  if (isYearly) rule.months = [2];
}

/** Replaces a date of a rule by another one. Returns whether the rule then describes that. */
function follow(rule, from, to) {
  if (rule.monthDays.length && rule.weekdays.length) return false;
  if (rule.frequency === "YEARLY" && rule.months.length && from.month !== to.month) {
    if (!rule.months.includes(from.month) || rule.months.includes(to.month)) return false;
    rule.months = rule.months.map((month) => (month === from.month ? to.month : month));
  }
  if (!followMonthDay(rule, from, to) || !followWeekday(rule, from, to)) return false;
  return !rule.months.length || rule.months.includes(to.month);
}

/** Returns the entries but the only one that stands for a date; null if there is no such one, or several. */
function others(entries, isOld) {
  const rest = entries.filter((entry) => !isOld(entry));
  return rest.length === entries.length - 1 ? rest : null;
}

function followMonthDay(rule, from, to) {
  if (!rule.monthDays.length) return true;
  const length = monthLength(from);
  const isOld = (date) =>
    date === from.date || length + date + 1 === from.date || (rule.clamps && date > length && from.date === length);
  const rest = others(rule.monthDays, isOld);
  if (!rest || rest.includes(to.date) || rest.includes(to.date - monthLength(to) - 1)) return false;
  rule.monthDays = [...rest, to.date];
  return true;
}

const numberInMonth = ({ date }) => Math.floor((date - 1) / 7) + 1;
const numberFromEnd = (at) => -Math.floor((monthLength(at) - at.date) / 7) - 1;
const standsFor = ({ weekday, ordinal }, at) =>
  weekday === at.weekday && (ordinal === 0 || ordinal === numberInMonth(at) || ordinal === numberFromEnd(at));

function followWeekday(rule, from, to) {
  if (!rule.weekdays.length) return true;
  // A day is counted in the year, and its number says little about the date.
  if (rule.frequency === "YEARLY" && !rule.months.length && rule.weekdays.some(({ ordinal }) => ordinal)) return false;
  const rest = others(rule.weekdays, (entry) => standsFor(entry, from));
  if (!rest || rest.some((entry) => standsFor(entry, to))) return false;
  const { ordinal } = rule.weekdays.find((entry) => standsFor(entry, from));
  // Few months have a fifth such day.
  const isLast = numberFromEnd(to) === -1 && (ordinal < 0 || to.date > 28);
  rule.weekdays = [...rest, { weekday: to.weekday, ordinal: ordinal === 0 ? 0 : isLast ? -1 : numberInMonth(to) }];
  return true;
}
