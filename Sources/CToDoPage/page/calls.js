// Calls that tell the user what they did, or why they failed.

import { CallError, call, newID } from "./api.js";

/** Shortens a title for a sentence. */
export const quoted = (title) => `“${title.length > 40 ? `${title.slice(0, 39)}…` : title}”`;

/** The calls of the page, for the list that it shows. */
export class Calls {
  constructor(store) {
    this.store = store;
  }

  get state() {
    return this.store.state;
  }
  item(id) {
    return this.state.content.items.get(id);
  }
  /** Whether the server has an optional feature. Unknown while it has not answered: then it is asked. */
  has(capability) {
    return this.state.capabilities?.has(capability) ?? true;
  }

  /** Calls a method for a list, by default the one shown. */
  callList(method, request, list = this.state.listID) {
    return call(method, { ...request, list });
  }
  /** The condition that an item has not changed since. */
  condition(item) {
    return { ifRevision: String(item.revision), ifIncarnation: this.state.content.incarnation };
  }

  tell(text, { isProblem = false, undo = null } = {}) {
    const notice = { text, isProblem, undo, id: newID(), time: Date.now() };
    this.store.dispatch({ type: "notice", notice });
    this.fade(notice);
  }

  fade(notice) {
    if (notice.isProblem) return;
    setTimeout(() => {
      if (this.state.notice?.id === notice.id) this.store.dispatch({ type: "notice", notice: null });
    }, 8000);
  }

  /** Tells what was done in a list, and offers to undo it: a revision, or several in this order. */
  did(text, revisions, list) {
    // The incarnation of a list that is not shown is unknown, and 0 is any.
    const incarnation = list === this.state.listID ? this.state.content.incarnation : "0";
    const entry = { text, revisions: [revisions].flat().map(Number), incarnation, list };
    const notice = { text, undo: this.has("revert_changes") ? entry : null, id: newID(), time: Date.now() };
    this.store.dispatch({ type: "done", entry, notice });
    this.fade(notice);
  }

  /** Does something, and tells why if it fails. Returns whether it succeeded. */
  async attempt(what, work) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code === "unauthenticated") this.signedOut();
      else this.tell(`${what} failed: ${problemText(error)}`, { isProblem: true });
      return false;
    }
  }
}

/** Returns why a call failed, as its user would say it. */
export function problemText(error) {
  switch (error.reason) {
    case "READ_ONLY":
      return "your token only allows reading";
    case "NOT_PERMITTED":
      return "you may only view this list";
    case "LIST_FULL":
      return "the list is full";
    case "ITEM_NOT_FOUND":
      return "the item is gone";
    case "USER_NOT_FOUND":
      return "the server has no user with this name";
    case "DUPLICATE_LIST":
      return "another list has this name";
    case "DUPLICATE_ITEM":
      return "an identical item is incomplete";
  }
  return error.isConnection ? "the server is unreachable" : error.message;
}
