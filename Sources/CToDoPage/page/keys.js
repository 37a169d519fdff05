// The keys: the same as those of `todo ui`, where the page has the action. See key-table.js.

import { listSections, visibleItems } from "./list-view.js";
import { nearest } from "./map-view.js";

const isText = (element) =>
  /^(INPUT|TEXTAREA|SELECT)$/.test(element?.tagName ?? "") && !["radio", "checkbox"].includes(element.type);

export class Keys {
  #store;
  #actions;
  #digits = "";
  #digitsTime = 0;

  constructor(store, actions) {
    this.#store = store;
    this.#actions = actions;
    document.addEventListener("keydown", (event) => {
      if (this.#press(event)) event.preventDefault();
    });
  }

  /** Returns whether the key had an effect. */
  #press(event) {
    const { state } = this.#store;
    if (event.ctrlKey && event.key === "g" && state.connection !== "signedOut") {
      this.#actions.showMessages();
      return true;
    }
    if (state.dialog || state.connection === "signedOut" || event.isComposing) return false;
    if (event.ctrlKey && event.key === "s" && state.panel?.kind === "form") {
      this.#actions.submitForm();
      return true;
    }
    if (event.key === "F6") return this.#switchPane(event.shiftKey ? -1 : 1);
    if (state.panel?.kind === "form" && this.#moveDue(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") return this.#escape(event.target);
    if (isText(event.target)) return false;
    const isButton = event.target.closest?.("button, a, summary, label, input") && !event.target.matches(".row-main, .row .check");
    if (isButton && (event.key === " " || event.key === "Enter")) return false;
    if (event.target.matches?.(".row-main") && event.key === "Enter") return false;
    if (state.panel?.kind === "form") return false;
    const handlers = state.panel ? this.#item : state.screen === "map" ? this.#map : this.#list;
    const handler = handlers[event.key] ?? (state.panel ? undefined : this.#everywhere[event.key]);
    if (handler) {
      handler(state);
      return true;
    }
    return !state.panel && state.screen === "list" && this.#digit(event.key);
  }

  /** Moves the focus to the next part of the window, or the one before. Returns false if there is no other one. */
  #switchPane(offset) {
    const panes = ["#menu", "#main", ".panel"].filter((pane) => document.querySelector(pane)?.checkVisibility({ visibilityProperty: true }));
    const current = panes.findIndex((pane) => document.activeElement.closest(pane));
    if (panes.length < 2) return false;
    this.#actions.focusPane(panes.at(current < 0 ? 0 : (current + offset) % panes.length));
    return true;
  }

  /** Makes the item of the form due earlier or later, unless the field has another use for the key. */
  #moveDue({ key, ctrlKey, target }) {
    const isDay = ctrlKey && (key === "ArrowUp" || key === "ArrowDown");
    const isWeek = !ctrlKey && (key === "PageUp" || key === "PageDown") && target.tagName !== "TEXTAREA";
    if (isDay || isWeek) this.#actions.moveDue((isWeek ? 7 : 1) * (key.endsWith("Up") ? -1 : 1));
    return isDay || isWeek;
  }

  #escape(target) {
    const { state } = this.#store;
    const actions = this.#actions;
    if (state.isMenuOpen) actions.menu(false);
    else if (target.id === "quick-add") {
      target.blur();
      this.#focusRow();
    } else if (state.panel?.kind === "form") actions.cancelForm();
    else if (state.panel) actions.close();
    else if (state.screen !== "list") actions.screen("list");
    else if (state.isSearching || state.isFiltering || Object.values(state.query).some(Boolean)) {
      actions.endQuery();
      this.#focusRow();
    } else if (state.notice) actions.dismiss();
    else return false;
    return true;
  }

  #focusRow() {
    this.#store.focus("#rows [tabindex='0']");
  }

  #select(move) {
    const rows = visibleItems(this.#store.state);
    if (!rows.length) return;
    const index = rows.findIndex(({ id }) => id === this.#store.state.selection);
    const next = rows[Math.max(0, Math.min(rows.length - 1, move(index, rows.length)))];
    this.#actions.reveal(next.id);
  }

  #step(offset) {
    this.#select((index) => (index < 0 ? 0 : index + offset));
  }
  /** Selects the first item of the next section, or of the one before. After the last one comes the first. */
  #switchSection(offset) {
    const { state } = this.#store;
    const shown = listSections(state).sections.filter(({ id, items }) => items.length && !state.collapsed.has(id));
    if (!shown.length) return;
    const current = shown.findIndex(({ items }) => items.some(({ id }) => id === state.selection));
    this.#actions.reveal(shown.at((Math.max(current, 0) + offset) % shown.length).items[0].id);
  }
  /** Selects a step, counted from 0, or by an offset from the selected one. */
  #selectStep(move) {
    const steps = [...document.querySelectorAll(".steps .check")];
    const index = steps.indexOf(document.activeElement);
    steps[Math.max(0, Math.min(steps.length - 1, move(index, steps.length)))]?.focus();
  }
  #withSelected(act) {
    const { selection } = this.#store.state;
    if (selection) act(selection);
  }

  #everywhere = {
    "?": () => this.#actions.showKeys(),
    u: () => this.#actions.undo(),
    L: () => this.#actions.showLists(),
    a: () => this.#actions.focusQuickAdd(),
    A: () => this.#actions.edit(null),
    t: () => this.#actions.screen("trash"),
    q: (state) => {
      if (state.screen !== "list") this.#actions.screen("list");
    },
  };

  #list = {
    j: () => this.#step(1),
    ArrowDown: () => this.#step(1),
    k: () => this.#step(-1),
    ArrowUp: () => this.#step(-1),
    PageDown: () => this.#step(10),
    PageUp: () => this.#step(-10),
    g: () => this.#select(() => 0),
    Home: () => this.#select(() => 0),
    G: () => this.#select((_, count) => count - 1),
    End: () => this.#select((_, count) => count - 1),
    "]": () => this.#switchSection(1),
    "[": () => this.#switchSection(-1),
    " ": () => this.#withSelected((id) => this.#actions.toggle(id)),
    Enter: () => this.#withSelected((id) => this.#actions.open(id)),
    e: () => this.#withSelected((id) => this.#actions.edit(id)),
    p: () => this.#withSelected((id) => this.#actions.postpone(id)),
    S: () => this.#withSelected((id) => this.#actions.skip(id)),
    M: () => this.#withSelected((id) => this.#actions.move(id)),
    d: () => this.#withSelected((id) => this.#actions.delete(id)),
    D: () => this.#actions.deleteMany(),
    "/": () => this.#actions.search(),
    f: () => this.#actions.filter(),
    s: () => this.#actions.chooseOrder(),
    r: () => this.#actions.reverse(),
    w: () => this.#actions.showWaiting(),
    m: () => this.#actions.screen("map"),
    n: (state) => this.#actions.showMap(state.selection),
  };

  #item = {
    " ": (state) => this.#actions.toggle(state.panel.id),
    e: (state) => this.#actions.edit(state.panel.id),
    p: (state) => this.#actions.postpone(state.panel.id),
    S: (state) => this.#actions.skip(state.panel.id),
    M: (state) => this.#actions.move(state.panel.id),
    d: (state) => this.#actions.delete(state.panel.id),
    u: () => this.#actions.undo(),
    j: () => this.#selectStep((index) => index + 1),
    k: () => this.#selectStep((index, count) => (index < 0 ? count : index) - 1),
    o: () => document.getElementById("web-map")?.click(),
    y: (state) => this.#actions.copyPlace(state.panel.id),
    m: (state) => this.#actions.showMap(state.panel.id),
    n: (state) => this.#actions.showMap(state.panel.id),
    "?": () => this.#actions.showKeys(),
    q: () => this.#actions.close(),
    ArrowLeft: () => this.#actions.close(),
    Backspace: () => this.#actions.close(),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [
        String(number),
        () => this.#selectStep((index, count) => (number > count ? index : number - 1)),
      ]),
    ),
  };

  #map = {
    ArrowUp: () => this.#actions.pan(0, -1),
    ArrowDown: () => this.#actions.pan(0, 1),
    ArrowLeft: () => this.#actions.pan(-1, 0),
    ArrowRight: () => this.#actions.pan(1, 0),
    k: () => this.#actions.pan(0, -1),
    j: () => this.#actions.pan(0, 1),
    h: () => this.#actions.pan(-1, 0),
    l: () => this.#actions.pan(1, 0),
    "+": () => this.#actions.moveMap({ zoom: 1.6 }),
    "-": () => this.#actions.moveMap({ zoom: 1 / 1.6 }),
    0: () => this.#actions.showAllOnMap(),
    Enter: (state) => {
      const [first] = nearest(state);
      if (first) this.#actions.open(first.item.id);
    },
  };

  /** Selects the item whose number is typed. Digits that follow each other within a second make one number. */
  #digit(key) {
    if (!/^[0-9#]$/.test(key)) return false;
    const now = performance.now();
    this.#digits = now - this.#digitsTime < 1000 && key !== "#" ? this.#digits + key : key.replace("#", "");
    this.#digitsTime = now;
    const item = visibleItems(this.#store.state).find(({ number }) => number === Number(this.#digits));
    if (item) this.#actions.reveal(item.id);
    else this.#store.dispatch({ type: "select", id: null });
    return true;
  }
}
