// The list: sections with counts, of which only the rows in the window exist in the document.

import { dueText, dueLongText, timeText } from "./dates.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { isOverdue, isWaiting, matcher, sections } from "./items.js";
import { placeText, plural, priorityWords } from "./words.js";

// In rem, as in app.css.
const rowHeight = 3.75;
const headingHeight = 3.25;
/** The number of rows above and below the window that exist, so that scrolling shows no gaps. */
const margin = 8;

/** Returns the function's last result while its arguments are the same. */
function remember(work) {
  let last = null;
  let result;
  return (...inputs) => {
    if (!last || inputs.some((input, index) => input !== last[index])) [last, result] = [inputs, work(...inputs)];
    return result;
  };
}

const shownRows = remember((todo, done, query, now) => {
  const matches = matcher(query, now);
  return matches ? { todo: todo.filter(matches), done: done.filter(matches) } : { todo, done };
});
const shownSections = remember((rows, order, reversed, showsWaiting, now) =>
  sections(rows, { order, reversed, showsWaiting, now }),
);

/** Returns the sections of the state with their rows, as the list shows them. */
export function listSections({ content, query, order, reversed, showsWaiting, now }) {
  return shownSections(shownRows(content.todo, content.done, query, now), order, reversed, showsWaiting, now);
}

/** Returns the rows that are not folded away, in the order of the window. */
export const visibleItems = (state) =>
  listSections(state).sections.flatMap(({ id, items }) => (state.collapsed.has(id) ? [] : items));

/** Returns the top of an item's row and its height, in rem; null if it has none. */
export function rowBounds(state, id) {
  let top = 0;
  for (const section of listSections(state).sections) {
    top += headingHeight;
    if (state.collapsed.has(section.id)) continue;
    const index = section.items.findIndex((item) => item.id === id);
    if (index >= 0) return { top: top + index * rowHeight, height: rowHeight, headingHeight };
    top += section.items.length * rowHeight;
  }
  return null;
}

/** The list in a window that begins at `top` and is `height` high, in rem. */
export function listView(state, { top, height }, actions) {
  const { sections: shown, waitingCount } = listSections(state);
  let offset = 0;
  const tabStop = tabStopOf(state, shown);
  const drawn = shown.map((section) => {
    const isOpen = !state.collapsed.has(section.id);
    const start = offset + headingHeight;
    const size = isOpen ? section.items.length * rowHeight : 0;
    offset = start + size;
    const first = Math.max(0, Math.floor((top - start) / rowHeight) - margin);
    const last = Math.min(section.items.length, Math.ceil((top + height - start) / rowHeight) + margin);
    const indexes = [];
    for (let index = first; isOpen && index < last; index += 1) indexes.push(index);
    // The focused row stays, wherever the window is.
    if (isOpen && tabStop?.section === section && (tabStop.index < first || tabStop.index >= last)) {
      tabStop.index < first ? indexes.unshift(tabStop.index) : indexes.push(tabStop.index);
    }
    const rows = indexes.map((index) => rowView(state, section, index, tabStop, actions));
    return sectionView(state, section, isOpen, size, rows, actions);
  });
  const isEmpty = state.content.items.size === 0 && (state.content.isComplete || state.content.revision > 0);
  return [
    isEmpty ? emptyView() : drawn,
    !isEmpty && isNothingFound(state, shown) && h("p", { class: "hint", key: "nothing" }, "Nothing matches."),
    waitingCount > 0 &&
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          key: "waiting",
          onclick: () => actions.showWaiting(),
        },
        `${plural(waitingCount, "item")} waiting · ${state.showsWaiting ? "hide" : "show"}`,
      ),
  ];
}

const isNothingFound = ({ query }, shown) => Object.values(query).some(Boolean) && shown.every(({ items }) => !items.length);

const emptyView = () =>
  h(
    "div",
    { class: "empty", key: "empty" },
    h("p", { class: "empty-title" }, "Nothing to do."),
    h("p", null, "Write what you have in mind, with a day, a place or a #tag: “Dinner tomorrow 19:00 @Rossi”."),
  );

/** Returns the row that the Tab key reaches: the selected one, or else the first. */
function tabStopOf(state, shown) {
  let first = null;
  for (const section of shown) {
    if (state.collapsed.has(section.id)) continue;
    if (!first && section.items.length) first = { section, index: 0 };
    if (state.selection === null) {
      if (first) return first;
      continue;
    }
    const index = section.items.findIndex((item) => item.id === state.selection);
    if (index >= 0) return { section, index };
  }
  return first;
}

function sectionView(state, { id, name, items }, isOpen, size, rows, actions) {
  const count = state.content.isComplete || items.length === 0 ? items.length.toLocaleString("en") : "…";
  return h(
    "section",
    { key: id, class: `section section-${id}`, "aria-labelledby": `heading-${id}` },
    h(
      "h2",
      { id: `heading-${id}` },
      h(
        "button",
        {
          type: "button",
          class: "heading",
          "aria-expanded": String(isOpen),
          onclick: () => actions.collapse(id),
        },
        h("span", null, name),
        h("span", { class: "count" }, count),
      ),
    ),
    h("ul", { class: "rows", role: "list", style: { height: `${size}rem` } }, rows),
  );
}

function rowView(state, section, index, tabStop, actions) {
  const item = section.items[index];
  const isSelected = state.selection === item.id;
  const isTabStop = tabStop?.section === section && tabStop.index === index;
  const classes = [
    "row",
    isSelected && "selected",
    item.done && "done",
    state.fresh.has(item.id) && "fresh",
    item.priority && `priority-${item.priority}`,
  ];
  return h(
    "li",
    {
      key: item.id,
      class: classes.filter(Boolean).join(" "),
      style: { top: `${index * rowHeight}rem` },
      "aria-setsize": section.items.length,
      "aria-posinset": index + 1,
    },
    checkButton(item, actions, -1),
    h(
      "button",
      {
        type: "button",
        class: "row-main",
        tabindex: isTabStop ? "0" : "-1",
        "data-id": item.id,
        "aria-current": isSelected ? "true" : null,
        onclick: () => actions.open(item.id),
        onfocus: () => actions.select(item.id),
      },
      h("span", { class: "title" }, item.title),
      metaView(item, state.now),
    ),
  );
}

/** The circle that checks an item. */
export function checkButton(item, actions, tabindex = 0) {
  return h(
    "button",
    {
      type: "button",
      class: "check",
      role: "checkbox",
      "aria-checked": String(item.done),
      tabindex: String(tabindex),
      "aria-label": `Done: ${item.title}`,
      onclick: () => actions.toggle(item.id),
    },
    icon("check"),
  );
}

function metaView(item, now) {
  const parts = [];
  if (item.priority)
    parts.push(h("span", { class: `mark priority-${item.priority}`, key: "priority" }, priorityMark(item.priority)));
  if (item.due) {
    const isLate = isOverdue(item, now);
    parts.push(h("span", { class: isLate ? "due late" : "due", title: dueLongText(item.due), key: "due" }, dueText(item.due, now)));
  }
  if (item.repetition) parts.push(h("span", { class: "glyph", key: "repeats" }, icon("repeat"), hidden("repeats")));
  if (item.reminders.length) parts.push(h("span", { class: "glyph", key: "reminders" }, icon("bell"), hidden("has reminders")));
  if (isWaiting(item, now))
    parts.push(h("span", { key: "wait" }, `waits until ${timeText(item.wait, now)}`));
  if (item.steps.length)
    parts.push(
      h("span", { class: "steps-done", key: "steps" }, `${item.steps.filter((step) => step.done).length}/${item.steps.length}`),
    );
  if (item.place) parts.push(h("span", { class: "place", key: "place" }, placeText(item.place)));
  for (const tag of item.tags) parts.push(h("span", { class: "tag", key: `tag ${tag}` }, `#${tag}`));
  if (item.note) parts.push(h("span", { class: "glyph", key: "note" }, icon("note"), hidden("has a note")));
  return parts.length ? h("span", { class: "meta" }, parts) : null;
}

const priorityMark = (priority) => [
  h("span", { "aria-hidden": "true" }, "!".repeat(priority)),
  hidden(`${priorityWords[priority]} priority`),
];
export const hidden = (text) => h("span", { class: "visually-hidden" }, text);
