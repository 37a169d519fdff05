// The line that adds an item: a sentence, and what the server reads in it while it is typed.

import { CallError, call } from "./api.js";
import { dueText, zone } from "./dates.js";
import { h } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { readItem } from "./items.js";

const pause = 120;

/** Reads the line while it is typed, and adds what it says. */
export class QuickAdd {
  #store;
  #actions;
  #timer;
  #call = null;

  constructor(store, actions) {
    [this.#store, this.#actions] = [store, actions];
  }

  /** Whether the server reads sentences. Otherwise, a sentence is a title. */
  get isReading() {
    return this.#store.state.capabilities?.has("parse_quick_add") === true;
  }

  type(text) {
    this.#store.dispatch({ type: "text", text });
    clearTimeout(this.#timer);
    this.#call?.abort();
    if (!this.isReading || !text.trim()) return;
    this.#timer = setTimeout(() => this.#read(text).catch(() => {}), pause);
  }

  async #read(text) {
    const { state } = this.#store;
    if (!this.isReading) return null;
    if (state.quickAdd.text === text && state.quickAdd.reading?.of === text) return state.quickAdd.reading;
    this.#call?.abort();
    this.#call = new AbortController();
    const listNames = state.lists.map(({ name }) => name);
    const request = { text, timeZone: zone, languages: [...navigator.languages].slice(0, 16), listNames };
    const reading = { ...readingOf(await call("ParseQuickAdd", request, { signal: this.#call.signal })), of: text };
    this.#store.dispatch({ type: "reading", text, reading });
    return reading;
  }

  /** Returns what the line says: the fields of an item, and its list. Null if the user cancels. */
  async #meaning(text) {
    const plain = { fields: { title: text }, list: undefined };
    let reading;
    try {
      reading = await this.#read(text);
    } catch (error) {
      if (error instanceof CallError && !error.isConnection && error.code !== "unauthenticated") return plain;
      throw error;
    }
    if (!reading?.item) return plain;
    const fields = reading.alternatives.length ? await this.#choose(reading) : reading.item;
    return fields && { fields, list: this.#listNamed(reading.listName)?.id };
  }

  /** Asks which date is meant if they don't combine, or are in the past. */
  #choose({ item, alternatives, notice }) {
    const { now } = this.#store.state;
    const choices = alternatives.map((other) => ({
      value: other,
      label: `${other.title} · ${dueText(readItem(other).due ?? {}, now)}`,
    }));
    choices.push({ value: item, label: `${item.title}, without a date` });
    return this.#store.ask({ title: "Which one do you mean?", text: notice, choices });
  }

  #listNamed(name) {
    return name
      ? this.#store.state.lists.find((list) => list.name.localeCompare(name, undefined, { sensitivity: "base" }) === 0)
      : undefined;
  }

  async submit() {
    const { listID, quickAdd } = this.#store.state;
    const text = quickAdd.text.trim();
    if (!text) return;
    clearTimeout(this.#timer);
    try {
      const meaning = await this.#meaning(text);
      const placed = meaning && (await this.#actions.placed(meaning.fields));
      if (placed && (await this.#actions.add(placed, meaning.list ?? listID))) this.#clear(text);
    } catch (error) {
      this.#actions.failed("Adding", error);
    }
    this.#store.focus("#quick-add");
  }

  /** Opens the form with what the line says. */
  async openForm() {
    const text = this.#store.state.quickAdd.text.trim();
    const meaning = text ? await this.#meaning(text).catch(() => ({ fields: { title: text } })) : { fields: {} };
    if (!meaning) return;
    if (await this.#actions.edit(null, meaning.fields)) this.#clear(text);
  }

  #clear(text) {
    if (this.#store.state.quickAdd.text.trim() === text) this.#store.dispatch({ type: "text", text: "" });
  }
}

const fields = {
  QUICK_ADD_FIELD_DUE: "due",
  QUICK_ADD_FIELD_PLACE: "place",
  QUICK_ADD_FIELD_TAG: "tag",
  QUICK_ADD_FIELD_PRIORITY: "priority",
  QUICK_ADD_FIELD_LIST: "list",
};

/** Returns a response of ParseQuickAdd as the page uses it. */
export function readingOf({ item, facts = [], spans = [], notice = "", listName = "", alternatives = [] }) {
  const parts = spans.map(({ start = 0, end = 0, field }) => ({ start, end, field: fields[field] ?? "other" }));
  const words = facts.length ? [item?.title ?? "", ...facts].join(" · ") : "";
  return { item, words, notice, listName, alternatives, spans: parts };
}

export function quickAddView(state, actions) {
  const { text, reading } = state.quickAdd;
  const isReadOnly = state.lists.find(({ id }) => id === state.listID)?.role === "LIST_ROLE_VIEWER";
  if (isReadOnly) return h("p", { class: "hint quick-add" }, "You may only view this list.");
  const isShown = reading && (reading.words || reading.notice);
  return h(
    "form",
    {
      class: "quick-add",
      key: "quick-add",
      onsubmit: (event) => {
        event.preventDefault();
        actions.submitQuickAdd();
      },
    },
    h(
      "div",
      { class: "quick-line" },
      h("span", { class: "quick-icon", "aria-hidden": "true" }, icon("plus")),
      h(
        "div",
        { class: "quick-text" },
        h("div", { class: "quick-marks", "aria-hidden": "true" }, marksOf(text, reading)),
        h("input", {
          id: "quick-add",
          type: "text",
          value: text,
          autocomplete: "off",
          autocapitalize: "sentences",
          enterkeyhint: "done",
          maxlength: "1024",
          placeholder: "Add an item",
          "aria-label": "Add an item",
          "aria-describedby": "reading",
          oninput: (event) => actions.typeQuickAdd(event.target.value),
          onscroll: (event) => followText(event.target),
          draw: followText,
        }),
      ),
      iconButton("edit", "All fields", () => actions.openQuickForm()),
      text.trim() && h("button", { type: "submit", class: "main-button" }, "Add"),
    ),
    h(
      "p",
      { id: "reading", class: "reading", role: "status" },
      isShown && [
        h("span", { key: "words" }, reading.words && `→ ${reading.words}`),
        reading.notice && h("span", { class: "reading-note", key: "notice" }, reading.notice),
      ],
    ),
  );
}

/** Moves the marks to where the text is, which scrolls in its line. */
function followText(input) {
  input.previousSibling.scrollLeft = input.scrollLeft;
}

/** Returns the text with what was read marked. It lies below the text that the user types. */
function marksOf(text, reading) {
  if (!reading || reading.of !== text) return [h("span", null, text)];
  const parts = [];
  let position = 0;
  for (const { start, end, field } of reading.spans) {
    if (start < position || end > text.length) continue;
    parts.push(h("span", null, text.slice(position, start)), h("mark", { class: `mark-${field}` }, text.slice(start, end)));
    position = end;
  }
  return [...parts, h("span", null, text.slice(position))];
}
