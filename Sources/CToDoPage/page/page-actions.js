// What the user does to the page itself: looking around, the form, the map.

import { problemText } from "./calls.js";
import { dayNumber, isoDate, parseDate } from "./dates.js";
import { changesOf, draftOf, fieldsOf, pathsWithPlace, problemsOf } from "./form.js";
import { orders, readItem } from "./items.js";
import { ListActions } from "./list-actions.js";
import { rowBounds } from "./list-view.js";
import { mapOf, movedView, placeAt } from "./map-view.js";
import { occurrenceChange, occurrenceOf } from "./moving.js";
import { knowsZone } from "./occurrences.js";
import { geoURI } from "./panel-view.js";
import { QuickAdd } from "./quick-add.js";
import { coordinate } from "./words.js";

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
const addressPause = 300;

/** What the user does: to items and lists, and to the page itself. */
export class PageActions extends ListActions {
  #quickAdd;
  #search = null;
  #searchTimer;
  viewport = { top: 0, height: innerHeight / rem() };

  constructor(store) {
    super(store);
    this.#quickAdd = new QuickAdd(store, this);
  }

  #set(values) {
    this.store.set(values);
  }

  failed(what, error) {
    if (error.code === "unauthenticated") this.signedOut();
    else this.tell(`${what} failed: ${problemText(error)}`, { isProblem: true });
  }

  // MARK: The list

  select(id) {
    if (this.state.selection !== id) this.store.dispatch({ type: "select", id });
  }
  collapse(id) {
    this.store.dispatch({ type: "collapse", id });
  }

  /** Selects an item, and scrolls to its row. */
  reveal(id) {
    this.store.dispatch({ type: "select", id });
    const rows = document.getElementById("rows");
    const bounds = rowBounds(this.state, id);
    if (rows && bounds) {
      const size = rem();
      const [top, bottom] = [(bounds.top - bounds.headingHeight) * size, (bounds.top + bounds.height) * size];
      if (top < rows.scrollTop) rows.scrollTop = top;
      else if (bottom > rows.scrollTop + rows.clientHeight) rows.scrollTop = bottom - rows.clientHeight;
      this.#measure(rows);
    }
    this.store.focus(`#rows [data-id="${CSS.escape(id)}"]`);
  }

  followScroll(element) {
    const follow = () => {
      this.#measure(element);
      this.store.schedule();
    };
    element.addEventListener("scroll", follow, { passive: true });
    new ResizeObserver(follow).observe(element);
    this.#measure(element);
  }

  #measure(element) {
    const size = rem();
    this.viewport = { top: element.scrollTop / size, height: (element.clientHeight || innerHeight) / size };
  }

  focusList() {
    this.store.focus(this.state.screen === "list" && this.state.content.items.size ? "#rows [tabindex='0']" : "#main");
  }
  focusQuickAdd() {
    this.screen("list");
    this.store.focus("#quick-add");
  }
  query(values) {
    this.store.dispatch({ type: "query", values });
  }
  endQuery() {
    this.store.dispatch({ type: "endQuery" });
  }
  filterTag(tag) {
    this.#set({ isMenuOpen: false, screen: "list", isFiltering: tag !== "" });
    this.query({ marks: tag });
  }
  search() {
    this.#set({ isSearching: true });
    this.store.focus("#search");
  }
  filter() {
    this.#set({ isFiltering: true });
    this.store.focus("#filter");
  }
  showWaiting() {
    this.#set({ showsWaiting: !this.state.showsWaiting });
  }
  reverse() {
    this.store.dispatch({ type: "sort", reversed: !this.state.reversed });
  }
  dismiss() {
    this.store.dispatch({ type: "notice", notice: null });
  }

  async chooseOrder() {
    const choices = Object.entries(orders).map(([value, { name }]) => ({
      value,
      label: `By ${name}`,
      isMain: value === this.state.order,
    }));
    choices.push({ value: "reverse", label: this.state.reversed ? "In the usual direction" : "Reversed" });
    const order = await this.store.ask({ title: "Sort", choices });
    if (order === "reverse") this.reverse();
    else if (order) this.store.dispatch({ type: "sort", order });
  }

  menu(isOpen) {
    this.#set({ isMenuOpen: isOpen });
    if (isOpen) this.loadLists();
    this.store.focus(isOpen ? "#menu .menu-item" : ".menu-button");
  }

  async showLists() {
    await this.loadLists();
    const choices = this.state.lists
      .filter(({ invitation }) => !invitation)
      .map(({ id, name }) => ({ value: id, label: name, isMain: id === this.state.listID }));
    choices.push({ value: "new", label: "New list…" });
    const id = await this.store.ask({ title: "Lists", choices });
    if (id === "new") await this.newList();
    else if (id) this.showList(id);
  }

  showKeys() {
    return this.store.ask({ title: "Keys", keys: true });
  }

  async screen(screen) {
    if (this.hasChanges && !(await this.askDiscard())) return;
    if (screen === "map") {
      this.#set({ map: null });
      this.loadWorld();
    }
    if (screen === "trash") this.loadTrash();
    this.store.dispatch({ type: "screen", screen });
    this.store.focus(screen === "map" ? "#map" : "#rows [tabindex='0']");
  }

  /** Shows the last messages, or closes them. */
  showMessages() {
    const { dialog } = this.state;
    if (dialog?.messages) return dialog.answer(undefined);
    return dialog ? undefined : this.store.ask({ title: "Messages", messages: true });
  }

  /** Moves the focus to a part of the window: to what was last selected there, or else to its first control. */
  focusPane(pane) {
    const targets = { "#menu": "#menu .menu-item[aria-current], #menu .menu-item", ".panel": ".panel h2[tabindex], .panel button" };
    if (pane === "#main") this.focusList();
    else this.store.focus(targets[pane]);
  }

  // MARK: Items

  async copyPlace(id) {
    const place = this.state.content.items.get(id)?.place;
    if (!place?.coordinate) return;
    const isCopied = await navigator.clipboard?.writeText(geoURI(place)).then(
      () => true,
      () => false,
    );
    this.tell(isCopied ? `Copied ${geoURI(place)}` : geoURI(place));
  }

  // MARK: Quick add, the form

  typeQuickAdd(text) {
    this.#quickAdd.type(text);
  }
  submitQuickAdd() {
    return this.#quickAdd.submit();
  }
  openQuickForm() {
    return this.#quickAdd.openForm();
  }

  /** Opens the form, unless the user keeps the changes of another one. Returns whether it is open. */
  async edit(id, fields = {}) {
    if (this.hasChanges && !(await this.askDiscard())) return false;
    const item = id ? this.state.content.items.get(id) : readItem(fields);
    if (!item) return false;
    const draft = { ...draftOf(item), id };
    this.store.dispatch({ type: "form", draft, item: id ? item : null });
    this.store.focus("#form-title-field");
    this.loadWorld();
    if (!id && draft.address) this.searchAddress(draft.address);
    return true;
  }

  draft(values) {
    this.store.dispatch({ type: "draft", values });
  }

  /** Makes the item of the form due some days later; without a date, from today on. */
  moveDue(days) {
    const { date } = this.state.panel.draft;
    this.draft({ date: isoDate((date ? parseDate(date) : dayNumber(this.state.now)) + days) });
  }

  searchAddress(address) {
    this.draft({ address, candidate: null });
    clearTimeout(this.#searchTimer);
    this.#search?.abort();
    if (!address.trim()) return;
    this.#searchTimer = setTimeout(async () => {
      this.#search = new AbortController();
      const found = await this.candidates(address, this.#search.signal);
      this.store.dispatch({ type: "candidates", address, ...found });
    }, addressPause);
  }

  async cancelForm() {
    const { draft } = this.state.panel;
    if (this.hasChanges && !(await this.askDiscard())) return;
    if (draft.id) this.show(draft.id);
    else this.close();
  }

  async submitForm() {
    const { panel } = this.state;
    if (panel.isSaving) return;
    const problems = Object.keys(problemsOf(panel.draft));
    if (problems.length) {
      this.#set({ panel: { ...panel, isSubmitted: true } });
      this.store.focus("[aria-invalid='true']");
      return;
    }
    this.#set({ panel: { ...panel, isSaving: true } });
    const isSaved = await this.#save(this.#withFirstCandidate(panel), panel);
    // The user may have gone on to another form.
    if (this.state.panel?.original !== panel.original) return;
    this.#set({ panel: { ...this.state.panel, isSaving: false } });
    if (!isSaved) return;
    if (panel.draft.id) this.show(isSaved.id ?? panel.draft.id);
    else this.close();
    // Nothing is left to discard.
    if (this.state.dialog?.isOfForm) this.state.dialog.answer("discard");
  }

  /** A place that the form shows is the place that it saves. */
  #withFirstCandidate({ draft, original, candidates }) {
    const [first] = candidates?.address === draft.address ? candidates.list : [];
    return !draft.candidate && draft.address !== original.address && first && !first.guess ? { ...draft, candidate: first } : draft;
  }

  /** Saves a form. Returns whether it is saved, or the occurrence that has become an item of its own. */
  async #save(draft, { original, item }) {
    if (!item) return this.add(fieldsOf(draft));
    const changes = changesOf(draft, original);
    if (!changes.paths.length) return true;
    const keepsZone = item.repetition && !changes.paths.includes("repetition");
    const isUnknown = keepsZone && !knowsZone(item.repetition.timeZone);
    const choice = isUnknown ? null : occurrenceChange(item, changes, Date.now());
    const scope = isUnknown ? await this.#askAll(item.repetition) : choice && (await this.#askOccurrences(choice));
    if (scope === undefined) return false;
    if (scope === "only" && choice.only) return this.split(item, occurrenceOf(item, changes), choice.only);
    const { fields, paths } = changes;
    if (scope === "following" && choice.following) {
      fields.repetition = choice.following;
      paths.push("repetition");
    }
    const isSaved = await this.save(item, fields, pathsWithPlace(paths, fields));
    if (isSaved && !isUnknown && !choice?.following) this.#tellMove(item);
    return isSaved;
  }

  /** Tells what a saved due date means for the other occurrences, if the user was not asked. */
  #tellMove({ id, due, repetition: before }) {
    const { due: saved, repetition } = this.item(id) ?? {};
    const isMoved = saved && (saved.time !== due?.time || saved.date !== due?.date);
    if (!isMoved || !before?.recurrenceRule || before.recurrenceRule !== repetition?.recurrenceRule) return;
    const text =
      repetition.occurrenceTime || repetition.occurrenceDate
        ? "Moved only this occurrence; the rule can't follow to that date"
        : "Moved to another occurrence; the following ones stay";
    this.tell(text, { undo: this.state.notice?.undo });
  }

  #askAll({ timeZone }) {
    return this.store.ask({
      title: "Change all occurrences?",
      text: `This item repeats in the time zone ${timeZone}, which this browser doesn't know. So it can't change only one.`,
      choices: [{ value: "all", label: "All occurrences", isMain: true }],
    });
  }

  #askOccurrences({ only }) {
    return this.store.ask({
      title: only ? "Which occurrences change?" : "Which occurrences move?",
      text: "This item repeats.",
      choices: [
        { value: "only", label: only ? "Only this one, as an item of its own" : "Only this one" },
        { value: "following", label: "This one and all following" },
      ],
    });
  }

  // MARK: The map

  showMap(id) {
    const place = this.state.content.items.get(id)?.place?.coordinate;
    this.loadWorld();
    this.store.dispatch({ type: "screen", screen: "map" });
    this.#set({ map: place ? { center: coordinate(place), radius: 120 } : null });
    this.store.focus("#map");
  }

  showAllOnMap() {
    this.#set({ map: null });
  }
  moveMap(move, size) {
    this.#set({ map: movedView(mapOf(this.state), move, size) });
  }
  pan(x, y) {
    this.moveMap({ x: x / 3, y: y / 3 });
  }

  /** Moves the map with pointers, zooms with the wheel or two fingers, and opens the item that is touched. */
  followPointers(canvas) {
    const pointers = new Map();
    const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y) || 1;
    };
    let travelled = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      travelled = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const before = pointers.size === 2 ? spread() : 0;
      pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      const [x, y] = [last.x - event.offsetX, last.y - event.offsetY];
      travelled += Math.hypot(x, y);
      if (pointers.size === 2) this.moveMap({ zoom: spread() / before });
      else this.moveMap({ x, y }, size());
    });
    const release = (event) => pointers.delete(event.pointerId);
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("click", (event) => {
      const place = travelled < 6 && placeAt(this.state, size(), event.offsetX, event.offsetY);
      if (place) this.open(place.item.id);
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.moveMap({ zoom: event.deltaY < 0 ? 1.2 : 1 / 1.2 });
      },
      { passive: false },
    );
    new ResizeObserver(() => this.store.schedule()).observe(canvas);
  }
}
