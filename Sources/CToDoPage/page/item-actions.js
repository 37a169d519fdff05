// What the user does to items: calls, questions, and what is told afterwards.

import { CallError, call, newID } from "./api.js";
import { Calls, problemText, quoted } from "./calls.js";
import { dayNumber, dueText, isoDate, localParts, localTime } from "./dates.js";
import { dateJSON, fold } from "./items.js";
import { readWorld } from "./map.js";
import { knowsZone, skipped } from "./occurrences.js";
import { coordinate, granularityText, plural } from "./words.js";

/** What the user does to items. */
export class ItemActions extends Calls {
  /** The last split of an occurrence off: of what, the IDs of the occurrence, and how the item that repeats moves on. */
  #split = null;

  async toggle(id) {
    const item = this.item(id);
    if (!item) return;
    const isDone = !item.done;
    const next = this.state.panel ? null : this.#neighbor(id);
    const isChanged = await this.attempt(isDone ? "Checking" : "Unchecking", () => this.#toggle(item, isDone, {}));
    if (isChanged && this.state.selection === id && this.item(id)?.done !== item.done) this.#moveOn(next);
  }

  /** Selects the next item, because the selected one has left its section. */
  #moveOn(next) {
    if (!next || this.state.panel) return;
    this.store.dispatch({ type: "select", id: next });
    this.store.focus(`#rows [data-id="${CSS.escape(next)}"]`);
  }

  async #toggle(item, isDone, options, list = this.state.listID) {
    try {
      const method = isDone ? "CheckItem" : "UncheckItem";
      const response = await this.callList(method, { id: item.id, ...this.condition(item), ...options }, list);
      this.#put(response.item, list);
      const isNext = isDone && response.item?.done !== true && response.item;
      const more = isNext && isNext.id === item.id ? `, next ${dueText(dueOf(isNext), this.state.now)}` : "";
      this.did(`${isDone ? "Checked" : "Unchecked"} ${quoted(item.title)}${more}`, response.item.revision, list);
    } catch (error) {
      if (error.reason !== "DUPLICATE_ITEM" || !(await this.#askDuplicate("Uncheck anyway"))) {
        if (error.reason !== "DUPLICATE_ITEM") throw error;
        return;
      }
      await this.#toggle(item, isDone, { allowDuplicate: true }, list);
    }
  }

  /** Shows what a response contains, unless the user has gone to another list meanwhile. */
  #put(json, list) {
    if (json && list === this.state.listID) this.store.dispatch({ type: "put", item: json });
  }

  async delete(id) {
    const item = this.item(id);
    if (!item) return;
    const next = this.#neighbor(id);
    const list = this.state.listID;
    await this.attempt("Deleting", async () => {
      const response = await this.#permanently((options) =>
        this.callList("DeleteItem", { id, ...this.condition(item), ...options }, list),
      );
      if (!response) return;
      if (list === this.state.listID) {
        this.store.dispatch({ type: "removed", id });
        if (this.state.panel?.id === id) this.store.dispatch({ type: "close" });
        this.store.dispatch({ type: "select", id: next });
        this.#moveOn(next);
      }
      if (response.permanent) this.tell(`Deleted ${quoted(item.title)} for good, because there is no room to keep it`);
      else this.did(`Deleted ${quoted(item.title)}`, response.revision, list);
    });
  }

  #neighbor(id) {
    const item = this.item(id);
    const rows = item.done ? this.state.content.done : this.state.content.todo;
    const index = rows.indexOf(item);
    return (rows[index + 1] ?? rows[index - 1])?.id ?? null;
  }

  /** Repeats a deletion for which there is no room, if the user agrees that it is for good. */
  async #permanently(work) {
    try {
      return await work({});
    } catch (error) {
      if (error.reason !== "DELETION_MUST_BE_PERMANENT") throw error;
      const text = "The disk or the list is full, so nothing deleted can be kept.";
      const choice = await this.store.ask({
        title: "Delete for good?",
        text,
        choices: [{ value: "yes", label: "Delete for good", isDanger: true }],
      });
      return choice ? work({ permanentIfFull: true }) : null;
    }
  }

  async deleteMany() {
    const { todo, done } = this.state.content;
    const list = this.state.listID;
    const choices = [];
    if (done.length)
      choices.push({ value: "DELETE_SELECTION_DONE", label: `Delete ${plural(done.length, "done item")}`, isDanger: true });
    if (todo.length)
      choices.push({
        value: "DELETE_SELECTION_ALL",
        label: `Delete all ${plural(todo.length + done.length, "item")}`,
        isDanger: true,
      });
    if (!choices.length) return;
    const selection = await this.store.ask({ title: "Delete many items?", text: "You can undo this.", choices });
    if (!selection) return;
    await this.attempt("Deleting", async () => {
      const response = await this.#permanently((options) => this.callList("DeleteItems", { selection, ...options }, list));
      if (response) this.did(`Deleted ${plural(Number(response.deletedCount ?? 0), "item")}`, response.revision, list);
    });
  }

  async undo(entry = this.state.undo.at(-1)) {
    if (!entry) return this.tell("There is nothing to undo");
    this.store.dispatch({ type: "undoing", entry });
    const { incarnation, list } = entry;
    const revisions = [...entry.revisions];
    const isDone = await this.attempt("Undoing", async () => {
      let refusal;
      while (revisions.length && !refusal) {
        const response = await call("RevertRevision", { revision: String(revisions[0]), incarnation, list });
        refusal = response.refusals?.[0];
        revisions.shift();
      }
      this.tell(
        refusal
          ? `Not undone: ${quoted(refusal.title ?? "")} ${refusalTexts[refusal.reason] ?? "stays as it is"}`
          : `Undone: ${entry.text}`,
        { isProblem: Boolean(refusal) },
      );
    });
    if (!isDone) this.store.dispatch({ type: "notUndone", entry: { ...entry, revisions } });
    return isDone;
  }

  /** Changes fields of an item, and asks about what only the user can decide. Returns whether it was saved. */
  async update(item, fields, paths, text) {
    let options = this.condition(item);
    const list = this.state.listID;
    for (;;) {
      try {
        const request = { item: { id: item.id, ...fields }, updateMask: paths.join(","), ...options };
        const response = await this.callList("UpdateItem", request, list);
        const isChanged = Number(response.item.revision) !== item.revision;
        this.#put(response.item, list);
        if (isChanged) this.did(text ?? `Saved ${quoted(response.item.title)}`, response.item.revision, list);
        return true;
      } catch (error) {
        const more = error instanceof CallError ? await this.#decide(error, fields) : undefined;
        if (more === undefined) throw error;
        if (more === null) return false;
        if (more.location) fields = { ...fields, location: more.location };
        options = { ...options, ...more.options };
        if (more.isOverwriting) options.ifRevision = "0";
      }
    }
  }

  async save(item, fields, paths) {
    let isSaved = false;
    await this.attempt("Saving", async () => {
      isSaved = await this.update(item, fields, paths);
    });
    return isSaved;
  }

  /** Adds an item, and asks about what only the user can decide. Returns whether it was added. */
  async add({ isUnlocated = false, ...fields }, list = this.state.listID) {
    let item = null;
    await this.attempt("Adding", async () => {
      item = await this.#insert({ item: { id: newID(), ...fields }, list, saveWithoutCoordinate: isUnlocated });
      if (!item) return;
      if (list === this.state.listID) this.store.dispatch({ type: "select", id: item.id });
      const place = item.dueTime || item.dueDate ? `, due ${dueText(dueOf(item), this.state.now)}` : "";
      this.did(`Added ${quoted(item.title)}${place}`, item.revision, list);
    });
    return item !== null;
  }

  /** Adds the item of a request, which may duplicate one of these items. Returns it, or null if the user cancels. */
  async #insert(request, own = []) {
    for (;;) {
      try {
        const { item } = await call("AddItem", request);
        this.#put(item, request.list);
        return item;
      } catch (error) {
        const isOwn = error.reason === "DUPLICATE_ITEM" && own.includes(error.metadata.existing_id);
        const more = isOwn ? { options: { allowDuplicate: true } } : await this.#decide(error, request.item);
        if (more === undefined) throw error;
        if (more === null) return null;
        if (more.location) request = { ...request, item: { ...request.item, location: more.location } };
        request = { ...request, ...more.options };
      }
    }
  }

  // MARK: One occurrence

  /**
   * Adds one occurrence of an item that repeats as an item of its own, and moves that item on, as `todo edit --this` does.
   * Returns the occurrence, or null if nothing is saved.
   */
  async split(item, content, next) {
    const list = this.state.listID;
    const key = `${item.id} ${item.revision}`;
    // If a response is lost, saving again adds no second one, and moves the item to the same date.
    if (this.#split?.key !== key) this.#split = { key, next, ids: [], content: "", isUnanswered: false };
    const split = this.#split;
    // Another content needs another ID, because the server would keep what it has with the former one.
    const text = JSON.stringify(content);
    if (split.content !== text) split.ids.unshift(newID());
    split.content = text;
    const [id, ...former] = split.ids;
    let occurrence = null;
    const isSaved = await this.attempt("Saving", async () => {
      try {
        // Until it has moved on, the item that repeats may differ from its occurrence in nothing that tells duplicates apart.
        occurrence = await this.#insert({ item: { ...content, id }, list }, [item.id, ...former]);
      } catch (error) {
        // The ID may be that of a deleted item.
        if (!error.isConnection) split.content = "";
        throw error;
      }
      if (!occurrence) return;
      for (const other of former) await this.#withdraw(other, list);
      split.ids = [id];
    });
    if (!isSaved || !occurrence || !(await this.#moveFrom(occurrence, item, split, list))) return null;
    split.key = null;
    return occurrence;
  }

  /** Deletes an item that may have been added: its response was lost. */
  async #withdraw(id, list) {
    try {
      await this.callList("DeleteItem", { id, permanentIfFull: true }, list);
    } catch (error) {
      if (error.reason !== "ITEM_NOT_FOUND") throw error;
    }
    if (list === this.state.listID) this.store.dispatch({ type: "removed", id });
  }

  /** Moves an item on from an occurrence that is an item of its own. If that fails, the user decides about the occurrence. */
  async #moveFrom(occurrence, item, split, list) {
    const { fields, paths } = split.next;
    const request = { item: { id: item.id, ...fields }, updateMask: paths.join(","), ...this.condition(item) };
    for (;;) {
      try {
        const rest = await this.#moved({ ...request, allowDuplicate: true, saveWithoutCoordinate: true }, split, list);
        const due = dueText(dueOf(rest), this.state.now);
        const text = `Added ${quoted(occurrence.title)}; ${quoted(item.title)} goes on, next ${due}`;
        // In this order, because the item that repeats can't become a duplicate of its occurrence.
        this.did(text, [occurrence.revision, rest.revision], list);
        return true;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.code === "unauthenticated") return this.signedOut();
        const isChanged = error.reason === "REVISION_MISMATCH";
        const choice = isChanged && !split.isUnanswered ? "remove" : await this.#askHalf(occurrence, item, error);
        if (choice === "again") continue;
        if (choice !== "remove") {
          const has = split.isUnanswered ? "may have" : "has";
          const text = `Added ${quoted(occurrence.title)}; ${quoted(item.title)} ${has} this occurrence, too`;
          this.did(text, occurrence.revision, list);
          return true;
        }
        const isRemoved = await this.attempt("Removing the occurrence", () =>
          this.#remove(occurrence, split.isUnanswered && request.item, list),
        );
        if (isRemoved) split.key = null;
        if (isRemoved && isChanged)
          this.tell("Not saved: somebody else has changed this item since you began", { isProblem: true });
        return false;
      }
    }
  }

  /** Moves an item on, unless an earlier attempt has, whose response was lost. */
  async #moved(request, split, list) {
    let rest;
    try {
      rest = (await this.callList("UpdateItem", request, list)).item;
    } catch (error) {
      // Whoever answers without a reason may not be the server.
      split.isUnanswered ||= error.isConnection || !error.reason;
      // If all attempts were answered, somebody else has changed the item.
      if (error.reason !== "REVISION_MISMATCH" || !split.isUnanswered) throw error;
      rest = (await this.callList("GetItem", { id: request.item.id }, list)).item;
      if (!isDueAs(rest, request.item)) throw error;
    }
    this.#put(rest, list);
    return rest;
  }

  #askHalf(occurrence, item, error) {
    const [added, rest] = [quoted(occurrence.title), quoted(item.title)];
    const isChanged = error.reason === "REVISION_MISMATCH";
    const choices = [{ value: "remove", label: `Remove ${added}`, isDanger: true }];
    if (!isChanged) choices.unshift({ value: "again", label: "Try again", isMain: true });
    return this.store.ask({
      title: "Only half of it is saved",
      text: isChanged
        ? `${added} was added as an item of its own, but ${rest} has been changed since, and may still have this occurrence.`
        : `${added} was added as an item of its own, but ${rest} still has this occurrence: ${problemText(error)}.`,
      choices,
    });
  }

  /** Removes an occurrence again, unless the item may have moved on, whose response was lost, and has. */
  async #remove({ id, revision }, moved, list) {
    const { item } = moved ? await this.callList("GetItem", { id: moved.id }, list) : {};
    if (item && isDueAs(item, moved)) throw new CallError("aborted", "the item that repeats has gone on; save again");
    await this.callList("DeleteItem", { id, ifRevision: revision, permanentIfFull: true }, list);
    if (list === this.state.listID) this.store.dispatch({ type: "removed", id });
  }

  /** Asks what to do about an error: returns what to change in the request, null to cancel, undefined if it is no question. */
  async #decide(error, fields) {
    switch (error.reason) {
      case "DUPLICATE_ITEM":
        return (await this.#askDuplicate("Save anyway")) ? { options: { allowDuplicate: true } } : null;
      case "REVISION_MISMATCH": {
        const text = "Somebody else has changed this item since you began.";
        const choices = [{ value: "overwrite", label: "Overwrite", isDanger: true }];
        return (await this.store.ask({ title: "Overwrite the change?", text, choices })) ? { isOverwriting: true } : null;
      }
      case "ADDRESS_NOT_FOUND":
      case "GEOCODER_UNAVAILABLE":
        return this.#askPlace(error, fields.location ?? {});
      default:
        return undefined;
    }
  }

  async #askDuplicate(label) {
    const text = "An incomplete item has the same title, date, place and note.";
    return (await this.store.ask({ title: "Save a duplicate?", text, choices: [{ value: "yes", label, isMain: true }] })) === "yes";
  }

  /** Asks which place an address means, or whether it is saved without a coordinate. */
  async #askPlace(error, location) {
    const { candidates, attribution } = await this.candidates(location.address);
    const choices = candidates.map((candidate) => ({ value: candidate, label: candidateText(candidate) }));
    choices.push({ value: "none", label: "Save without a place on the map", isMain: candidates.length === 0 });
    const text =
      error.reason === "GEOCODER_UNAVAILABLE"
        ? "The address can't be looked up now. The server will try again later."
        : candidates.length
          ? `Which place is “${location.address}”?`
          : `No place is known for “${location.address}”.`;
    const choice = await this.store.ask({ title: "Where is it?", text, choices, footer: attribution });
    if (!choice) return null;
    return choice === "none" ? { options: { saveWithoutCoordinate: true } } : { location: located(location, choice) };
  }

  async candidates(address, signal) {
    try {
      const { candidates = [], attribution = "" } = await call("GeocodeAddress", { address, limit: 5 }, { signal });
      return { candidates, attribution };
    } catch (error) {
      return { candidates: [], attribution: "", problem: problemText(error) };
    }
  }

  /** Completes the place of a sentence as `todo ui` does: from another item, or looked up. Returns null if the user cancels. */
  async placed(fields) {
    const { location } = fields;
    const text = location?.name ?? location?.address;
    if (!text || location.coordinate || !this.has("geocode_address")) return fields;
    const known = this.#knownPlace(text);
    if (known) return { ...fields, location: known };
    const { candidates, attribution } = await this.candidates(text);
    const certain = candidates.filter(({ guess }) => !guess);
    if (!certain.length)
      return location.address && candidates.length ? this.#chosenPlace(fields, text, candidates, attribution) : fields;
    if (certain.length === 1) return { ...fields, location: located({ address: text }, certain[0]) };
    return this.#chosenPlace(fields, text, certain, attribution);
  }

  async #chosenPlace(fields, text, candidates, attribution) {
    const choices = candidates.map((candidate) => ({ value: candidate, label: candidateText(candidate) }));
    choices.push({ value: "none", label: `Only the name “${text}”` });
    const choice = await this.store.ask({
      title: "Where is it?",
      text: `“${text}” can be several places.`,
      choices,
      footer: attribution,
    });
    if (!choice) return null;
    return choice === "none" ? { ...fields, isUnlocated: true } : { ...fields, location: located({ address: text }, choice) };
  }

  /** Returns the location of another item at a place with this name, to send with a new item. */
  #knownPlace(name) {
    const key = fold(name);
    for (const { place } of this.state.content.items.values()) {
      if (place?.name && fold(place.name) === key && (place.address || place.coordinate))
        return place.source ? { ...place, geocoded: true } : place;
    }
    return null;
  }

  async postpone(id) {
    const item = this.item(id);
    if (!item) return;
    const today = dayNumber(this.state.now);
    const monday = today + ((11 - (today % 7)) % 7 || 7);
    const choices = [
      ["Today", today],
      ["Tomorrow", today + 1],
      ["In two days", today + 2],
      ["Next Monday", monday],
      ["In a week", today + 7],
    ].map(([label, number]) => ({ value: isoDate(number), label }));
    choices.unshift({ read: (text) => text, label: "On this day", isMain: true });
    const field = { label: "Day", value: isoDate(today + 1), kind: "date" };
    const date = await this.store.ask({ title: `Postpone ${quoted(item.title)}`, field, choices });
    if (!date) return;
    const due = item.due?.time
      ? { dueTime: new Date(localTime(date, localParts(item.due.time).time)).toISOString() }
      : { dueDate: dateJSON(date) };
    const to = dueText(due.dueTime ? { time: Date.parse(due.dueTime) } : { date }, this.state.now);
    const text = `Postponed ${quoted(item.title)} to ${to}`;
    await this.attempt("Postponing", () => this.update(item, due, ["due"], text));
  }

  /** Moves an item that repeats on to its next occurrence, without checking it. */
  async skip(id) {
    const item = this.item(id);
    if (!item) return;
    if (item.done) return this.tell("The item is done");
    if (!item.repetition) return this.tell("The item doesn't repeat");
    const { timeZone } = item.repetition;
    if (!knowsZone(timeZone))
      return this.tell(`This browser doesn't know the time zone ${timeZone}, in which the item repeats`, { isProblem: true });
    const next = skipped(item, Date.now());
    if (!next) return this.tell("The item has no further occurrence; check or delete it");
    const due = dueText(dueOf(next.fields), this.state.now);
    const text = `Skipped ${quoted(item.title)}, next ${due}`;
    await this.attempt("Skipping", () => this.update(item, next.fields, next.paths, text));
  }

  async toggleStep(item, index) {
    const steps = item.steps.map((step, at) => (at === index ? { ...step, done: !step.done } : step));
    await this.save(item, { steps }, ["steps"]);
  }

  async move(id) {
    const item = this.item(id);
    const sourceList = this.state.listID;
    const others = this.state.lists.filter(
      (list) => list.id !== sourceList && !list.invitation && list.role !== "LIST_ROLE_VIEWER",
    );
    if (!item) return;
    if (!others.length) return this.tell("There is no other list to move it to");
    const choices = others.map(({ id: value, name }) => ({ value, label: name }));
    const targetList = await this.store.ask({ title: `Move ${quoted(item.title)} to`, choices });
    if (!targetList) return;
    await this.attempt("Moving", async () => {
      await call("todo.v1.ListService/MoveItems", { ids: [id], sourceList, targetList });
      this.tell(`Moved ${quoted(item.title)} to ${others.find((list) => list.id === targetList).name}`);
      if (this.state.panel?.id === id) this.store.dispatch({ type: "close" });
    });
  }

  // MARK: Trash, history, maps

  async loadTrash() {
    const list = this.state.listID;
    await this.attempt("Loading the trash", async () => {
      const page = await this.callList("ListItems", { state: "STATE_FILTER_DELETED", showDeleted: true, pageSize: 500 }, list);
      if (list === this.state.listID) this.store.dispatch({ type: "trash", items: page.items ?? [] });
    });
  }

  async restore(item) {
    const list = this.state.listID;
    await this.attempt("Restoring", async () => {
      const response = await this.callList("UndeleteItem", { id: item.id, allowDuplicate: true }, list);
      this.#put(response.item, list);
      this.did(`Restored ${quoted(item.title)}`, response.item.revision, list);
      await this.loadTrash();
    });
  }

  async emptyTrash() {
    const count = this.state.trash?.length ?? 0;
    const list = this.state.listID;
    if (!count) return;
    const choice = await this.store.ask({
      title: "Empty the trash?",
      text: `${plural(count, "item")} will be gone for good. This can't be undone.`,
      choices: [{ value: "yes", label: "Delete for good", isDanger: true }],
    });
    if (!choice) return;
    await this.attempt("Emptying the trash", () => this.callList("DeleteItems", { selection: "DELETE_SELECTION_DELETED" }, list));
    await this.loadTrash();
  }

  async loadHistory(id) {
    try {
      const page = await this.callList("ListRevisions", { itemId: id, pageSize: 30 });
      this.store.dispatch({ type: "history", id, revisions: page.revisions ?? [] });
    } catch {
      this.store.dispatch({ type: "history", id, revisions: [] });
    }
  }

  async loadWorld() {
    if (this.state.world) return;
    const read = async (path) => {
      const response = await fetch(path).catch(() => null);
      return response?.ok ? response.json().catch(() => null) : null;
    };
    const [lines, towns] = await Promise.all([read("/page/world.json"), read("/page/towns.json")]);
    if (lines || towns) this.store.set({ world: readWorld(lines ?? {}, towns ?? {}) });
  }

  // MARK: The panel

  /** Whether the form has changes that are not saved. */
  get hasChanges() {
    const { draft, original } = this.state.panel ?? {};
    return draft !== undefined && Object.keys(draft).some((name) => draft[name] !== original[name]);
  }

  /** Asks whether to discard the changes of the form. Returns whether the user agrees, or they are saved meanwhile. */
  async askDiscard() {
    const choices = [{ value: "discard", label: "Discard", isDanger: true }];
    return Boolean(await this.store.ask({ title: "Discard the changes?", choices, isOfForm: true }));
  }

  /** Shows an item, unless the user keeps the changes of a form. */
  async open(id) {
    if (!this.item(id) || (this.hasChanges && !(await this.askDiscard()))) return;
    this.show(id);
  }

  /** Shows an item in place of a form, too. */
  show(id) {
    if (!this.item(id)) return;
    this.store.dispatch({ type: "open", id });
    this.store.focus("#panel-title");
    this.loadHistory(id);
    this.loadWorld();
  }

  close() {
    this.store.dispatch({ type: "close" });
    this.store.focus("#rows [tabindex='0']");
  }
}

const refusalTexts = {
  REVERT_REFUSAL_REASON_CHANGED_SINCE: "has changed since",
  REVERT_REFUSAL_REASON_NOT_RETAINED: "can't be restored any more",
  REVERT_REFUSAL_REASON_DUPLICATE: "would be a duplicate",
};

const dueOf = (json) =>
  json.dueTime
    ? { time: Date.parse(json.dueTime) }
    : {
        date: [json.dueDate?.year, json.dueDate?.month, json.dueDate?.day]
          .map((part) => String(part ?? 1).padStart(2, "0"))
          .join("-"),
      };

const isDueAs = (one, other) => dueText(dueOf(one), 0) === dueText(dueOf(other), 0);

/** Returns the location of an address with the place that the user has confirmed. */
export function located(location, candidate) {
  const { source, granularity } = candidate;
  return { ...location, coordinate: coordinate(candidate.coordinate), source, granularity, geocoded: true };
}

export const candidateText = ({ displayName, granularity, guess }) =>
  [displayName, granularityText(granularity), guess ? "a guess" : ""].filter(Boolean).join("; ");
