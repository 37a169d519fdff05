// Keeps the page's list equal to the server's: a snapshot, then each change, over lost connections too.

import { CallError, get, session, stream } from "./api.js";

/** A watcher that receives nothing for this long has lost its connection. */
const silence = 60_000;
/** How long a hidden page keeps its stream. A browser has only six connections for all pages of a server. */
const hiddenTime = 10_000;
const firstItems = 60;
/** How long the watch waits for the first items. Over a silent connection, only the watch knows when to give up. */
const firstWait = 2000;

export class Sync {
  #store;
  #run = null;
  #wake = null;
  #delay = 0;

  constructor(store) {
    this.#store = store;
  }

  /** Observes what tells that the server may be reachable again, or that nobody looks. */
  observe() {
    let hiding;
    const hide = () => {
      hiding = setTimeout(() => this.stop(), hiddenTime);
    };
    if (document.hidden) hide();
    addEventListener("online", () => this.#wake?.());
    document.addEventListener("visibilitychange", () => {
      clearTimeout(hiding);
      if (document.hidden) hide();
      else if (!this.#run && this.#store.state.connection !== "signedOut") this.start();
      else this.#wake?.();
    });
  }

  /** Starts over with the list of the state. */
  start() {
    this.stop();
    const run = new AbortController();
    this.#run = run;
    this.#delay = 0;
    this.#loop(run.signal);
  }

  stop() {
    this.#run?.abort();
    this.#run = null;
  }

  async #loop(signal) {
    // All items arrive after these, so that reading many of them doesn't delay what fills the window.
    if (!this.#store.state.content.isComplete) await this.#showFirstItems(signal);
    while (!signal.aborted) {
      try {
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        // Another error is a response that is not one of the server.
        await this.#recover(error instanceof CallError ? error : new CallError("unavailable", error.message), signal);
      }
    }
  }

  /** Shows what fills the window before all items have arrived. */
  async #showFirstItems(signal) {
    const first = new AbortController();
    const end = () => first.abort();
    signal.addEventListener("abort", end);
    const timer = setTimeout(end, firstWait);
    try {
      const list = this.#store.state.listID;
      // The browser has requested the first items of the default list together with this module: see index.html.
      const page = await get("ListItems", { pageSize: firstItems, ...(list === "default" ? {} : { list }) }, first.signal);
      if (first.signal.aborted) return;
      this.#store.dispatch({
        type: "page",
        items: page.items ?? [],
        revision: Number(page.revision ?? 0),
        incarnation: page.incarnation ?? "0",
      });
    } catch {
      /* The watch reports what is wrong. */
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
  }

  async #watch(signal) {
    const { content, listID } = this.#store.state;
    const start = content.isComplete
      ? { afterRevision: String(content.revision), incarnation: content.incarnation }
      : { withSnapshot: {} };
    const quiet = new AbortController();
    const end = () => quiet.abort();
    signal.addEventListener("abort", end);
    let timer = setTimeout(end, silence);
    try {
      for await (const messages of stream("WatchItems", { ...start, list: listID }, quiet.signal)) {
        if (signal.aborted) return;
        clearTimeout(timer);
        timer = setTimeout(end, silence);
        this.#delay = 0;
        if (this.#store.state.connection !== "live") {
          this.#store.dispatch({ type: "live" });
          this.#store.cameBack();
        }
        this.#store.dispatch({ type: "watched", messages });
      }
      throw new CallError("unavailable", "the watch ended");
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      if (!signal.aborted) this.#store.dispatch({ type: "brokeOff" });
    }
  }

  async #recover(error, signal) {
    switch (error.reason) {
      case "REVISION_COMPACTED":
      case "REVISION_IN_FUTURE":
      case "LIST_REPLACED":
        return this.#store.dispatch({ type: "discard" });
      case "LIST_NOT_FOUND":
        this.stop();
        return this.#store.leaveList();
      case "WATCH_TOO_SLOW":
        return undefined;
    }
    if (error.code === "unauthenticated") {
      this.stop();
      return this.#store.signedOut();
    }
    this.#store.dispatch({ type: "lost", now: Date.now() });
    this.#delay = Math.min(5000, this.#delay ? this.#delay * 2 : 50);
    await this.#pause(this.#delay * (0.5 + Math.random() / 2), signal);
    if (this.#delay < 1000 || signal.aborted) return undefined;
    // The session may have ended meanwhile, in a way that only another request shows.
    const own = await session.get().catch(() => ({}));
    return own === null && !signal.aborted ? this.#store.signedOut() : undefined;
  }

  async #pause(milliseconds, signal) {
    let timer;
    let end;
    await new Promise((resolve) => {
      end = resolve;
      timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        this.#delay = 0;
        resolve();
      };
      signal.addEventListener("abort", end);
    });
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    this.#wake = null;
  }
}
