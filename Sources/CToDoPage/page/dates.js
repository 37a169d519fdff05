// Days and times in the reader's time zone, and their words.

const locale = navigator.language || "en";
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const day = 86_400_000;

const format = (options) => new Intl.DateTimeFormat("en-GB", options);
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const short = format({ weekday: "short", day: "numeric", month: "short" });
const long = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortYear = format({ day: "numeric", month: "short", year: "numeric" });

/** Returns the number of the day since 1970 where the reader is. */
export function dayNumber(time) {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / day);
}

/** Returns the day's number of a text such as 2026-05-01. */
export function parseDate(text) {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / day);
}

/** Returns the text of a day, such as 2026-05-01. */
export const isoDate = (number) => new Date(number * day).toISOString().slice(0, 10);

const ends = new Map();
/** Returns the time when a day ends where the reader is. */
export function dayEnd(number) {
  let end = ends.get(number);
  if (end === undefined) {
    const date = new Date(number * day);
    end = new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1).getTime();
    ends.set(number, end);
  }
  return end;
}

const noon = (number) => dayEnd(number) - day / 2;

/** Returns a day in words: yesterday, today, tomorrow, Sat 2 May, or 2 May 2027. */
export function dayText(number, now) {
  const today = dayNumber(now);
  if (number === today) return "today";
  if (number === today + 1) return "tomorrow";
  if (number === today - 1) return "yesterday";
  const isNear = Math.abs(number - today) < 300;
  return (isNear ? short : shortYear).format(noon(number)).replace(",", "");
}

export const clockText = (time) => clock.format(time);

/** Returns a due date in words, such as `tomorrow 17:00`. */
export function dueText(due, now) {
  if (due.date) return dayText(parseDate(due.date), now);
  return `${dayText(dayNumber(due.time), now)} ${clockText(due.time)}`;
}

/** Returns a due date in full, such as `Saturday 2 May 2026, 17:00`. */
export function dueLongText(due) {
  if (due.date) return long.format(noon(parseDate(due.date))).replace(",", "");
  return `${long.format(due.time).replace(",", "")}, ${clockText(due.time)}`;
}

/** Returns an instant in words, such as `today 17:00`. */
export const timeText = (time, now) => dueText({ time }, now);

/** Returns how long ago something was, such as `5 min`. */
export function durationText(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** Returns the instant of a local day and time, such as 2026-05-01 and 17:00. */
export function localTime(date, time) {
  const [year, month, dayOfMonth] = date.split("-").map(Number);
  const [hour, minute] = time.split(":").map(Number);
  const local = new Date(year, month - 1, dayOfMonth, hour, minute);
  if (year < 100) local.setFullYear(year);
  return local.getTime();
}

/** Returns the local day and time of an instant, as the fields of a form have them. */
export function localParts(time) {
  const date = new Date(time);
  const digits = (number) => String(number).padStart(2, "0");
  return { date: isoDate(dayNumber(time)), time: `${digits(date.getHours())}:${digits(date.getMinutes())}` };
}
