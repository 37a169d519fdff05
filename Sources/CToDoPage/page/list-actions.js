// What the user does to the session, to lists, and to those who share them.

import { call, newID, session } from "./api.js";
import { problemText, quoted } from "./calls.js";
import { ItemActions } from "./item-actions.js";
import { discardCopy } from "./offline.js";

/** What the user does to lists and their items. */
export class ListActions extends ItemActions {
  sync = null;
  /** The other windows of the page, which begin again when the session changes: they show its list, and write to it. */
  others = new BroadcastChannel("session");
  /** Whether the session or the server's features could not be loaded. */
  #isIncomplete = false;
  /** Why a link did not sign in. */
  linkProblem = "";

  // MARK: Session

  async signIn(credentials) {
    this.store.set({ signInError: "", isSigningIn: true });
    try {
      await session.open(credentials);
      this.others.postMessage("signed in");
      this.store.set({ connection: "starting", isSigningIn: false });
      await this.start();
    } catch (error) {
      const text = error.code === "unauthenticated" ? "The server doesn't accept this token." : problemText(error);
      this.store.set({ signInError: text, isSigningIn: false });
      this.store.focus("#token");
    }
  }

  /** Signs in with a link of `todo login --web`, unless somebody is signed in: nobody's link may change the session of another. */
  async followLink(link) {
    try {
      if ((await session.get()) !== null) return this.tell("You are signed in already. The link was not used.");
      await session.open({ link });
      this.others.postMessage("signed in");
    } catch (error) {
      const isGone = error.code === "unauthenticated";
      this.linkProblem = isGone ? "The link has expired, or was used already. Make another one." : problemText(error);
    }
    return undefined;
  }

  /** Signs out, unless the server cannot be told: then the browser keeps the session, and the user has to know. */
  async signOut() {
    if (this.hasChanges && !(await this.askDiscard())) return;
    if (!(await this.attempt("Signing out", () => session.close()))) return;
    this.sync.stop();
    this.store.dispatch({ type: "signedOut" });
    this.others.postMessage("signed out");
    await discardCopy();
  }

  /** Forgets everything once the server no longer accepts the session. */
  signedOut(message = "Your access has ended. Sign in again to go on.") {
    this.sync.stop();
    discardCopy();
    this.store.dispatch({ type: "signedOut", message });
    this.store.focus("#token");
  }

  async start() {
    this.sync.start();
    await this.#loadSession();
  }

  /** Loads what the start could not, because the server was unreachable. */
  cameBack() {
    if (this.#isIncomplete) this.#loadSession();
  }

  async #loadSession() {
    this.#isIncomplete = false;
    const own = await session.get().catch(() => undefined);
    if (own === null) return this.state.connection === "signedOut" ? undefined : this.signedOut(this.linkProblem);
    if (own !== undefined) this.store.set({ user: own.user ?? null, needsSession: Boolean(own.user) });
    const isKnown = call("GetServerInfo").then(
      (info) => this.store.dispatch({ type: "server", info }) ?? true,
      () => false,
    );
    await this.loadLists();
    if (own === undefined || !(await isKnown)) this.#isIncomplete = true;
    return undefined;
  }

  // MARK: Lists

  async loadLists() {
    try {
      const { set } = await call("todo.v1.ListService/ListLists", { showInvitations: true });
      this.store.dispatch({ type: "lists", lists: set?.lists ?? [] });
    } catch {
      /* A server of an earlier version has one list. */
    }
  }

  async showList(id) {
    if (this.hasChanges && !(await this.askDiscard())) return undefined;
    if (id === this.state.listID) return this.store.dispatch({ type: "screen", screen: "list" });
    return this.#goTo(id);
  }

  /** Goes to another list. A question about the former one ends without an answer. */
  #goTo(id) {
    this.state.dialog?.answer(undefined);
    this.store.dispatch({ type: "showList", id });
    this.sync.start();
  }

  async newList() {
    const name = await this.askText("New list", "Name", "", "Create");
    if (!name) return;
    const id = newID();
    const isDone = await this.attempt("Creating the list", () => call("todo.v1.ListService/CreateList", { id, name }));
    if (!isDone) return;
    await this.loadLists();
    this.showList(id);
  }

  async renameList() {
    const id = this.state.listID;
    const list = this.state.lists.find((other) => other.id === id);
    const name = await this.askText("Rename the list", "Name", list?.name ?? "", "Rename");
    if (!name || name === list?.name) return;
    const request = { list: { id, name }, updateMask: "name" };
    if (await this.attempt("Renaming the list", () => call("todo.v1.ListService/UpdateList", request))) await this.loadLists();
  }

  async deleteList() {
    const list = this.state.lists.find(({ id }) => id === this.state.listID);
    const text = `The list ${quoted(list?.name ?? "")} and its items can be restored for 30 days, with todo lists.`;
    const choice = await this.store.ask({
      title: "Delete the list?",
      text,
      choices: [{ value: "delete", label: "Delete", isDanger: true }],
    });
    if (choice !== "delete") return;
    if (!(await this.attempt("Deleting the list", () => call("todo.v1.ListService/DeleteList", { id: list.id })))) return;
    // The watch may have reported it, or the user gone to another list.
    if (this.state.listID === list.id) this.leaveList("");
    else await this.loadLists();
  }

  /** Returns to the default list, because the one shown is gone. */
  leaveList(message = "Somebody deleted this list, or stopped sharing it.") {
    this.#goTo("default");
    if (message) this.tell(message, { isProblem: true });
    this.loadLists();
  }

  async answerInvitation(list, isAccepted) {
    const method = `todo.v1.ListService/${isAccepted ? "AcceptList" : "LeaveList"}`;
    if (!(await this.attempt(isAccepted ? "Accepting the list" : "Leaving the list", () => call(method, { id: list.id })))) return;
    if (!isAccepted && this.state.listID === list.id) return this.leaveList("");
    await this.loadLists();
    if (isAccepted) this.showList(list.id);
  }

  /** Shows who shares the list, and invites a user, or ends the sharing with one. */
  async shareList() {
    const { id, name, members = [] } = this.state.lists.find((list) => list.id === this.state.listID) ?? {};
    const words = members.map(
      ({ user, role, invited }) => `${user} (${role === "LIST_ROLE_EDITOR" ? "edits" : "views"}${invited ? ", invited" : ""})`,
    );
    const invite = (role, label) => ({
      label,
      isMain: role === "LIST_ROLE_EDITOR",
      read: (user) => user && { method: "ShareList", request: { id, user, role } },
    });
    const choices = [
      invite("LIST_ROLE_EDITOR", "Let them edit"),
      invite("LIST_ROLE_VIEWER", "Let them view"),
      ...members.map(({ user }) => ({
        label: `Stop sharing with ${user}`,
        isDanger: true,
        value: { method: "UnshareList", request: { id, user } },
      })),
    ];
    const text = words.length ? `Shared with ${words.join(", ")}.` : "Shared with nobody.";
    const change = await this.store.ask({
      title: `Share ${quoted(name)}`,
      text,
      field: { label: "User", value: "", kind: "text" },
      choices,
    });
    if (!change) return;
    if (await this.attempt("Sharing the list", () => call(`todo.v1.ListService/${change.method}`, change.request)))
      await this.loadLists();
  }

  askText(title, label, value, action) {
    return this.store.ask({
      title,
      field: { label, value, kind: "text" },
      choices: [{ read: (text) => text, label: action, isMain: true }],
    });
  }
}
