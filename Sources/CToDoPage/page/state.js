// The state of the page, and how it changes: one pure function. Nothing here touches the document or the network.

import { ItemTable, comparison, position, readItem } from "./items.js";

const emptyQuery = Object.freeze({ text: "", due: "", place: "", marks: "" });
const emptyContent = Object.freeze({
  items: new ItemTable(),
  todo: Object.freeze([]),
  done: Object.freeze([]),
  revision: 0,
  incarnation: "0",
  isComplete: false,
});

export const initialState = Object.freeze({
  /** starting, live, lost, offline (from the stored copy) or signedOut. */
  connection: "starting",
  lostSince: null,
  signInError: "",
  user: null,
  needsSession: false,
  capabilities: null,
  attribution: "",
  lists: [],
  listID: "default",
  content: emptyContent,
  incoming: null,
  partial: [],
  screen: "list",
  panel: null,
  dialog: null,
  isMenuOpen: false,
  selection: null,
  collapsed: new Set(),
  query: emptyQuery,
  isSearching: false,
  isFiltering: false,
  order: "due",
  reversed: false,
  showsWaiting: false,
  quickAdd: { text: "", reading: null },
  trash: null,
  history: null,
  world: null,
  notice: null,
  /** The last messages, the latest one first. */
  messages: [],
  undo: [],
  fresh: new Set(),
  now: 0,
  storedAt: null,
});

/** Returns the state after an action. */
export function reduce(state, action) {
  const handler = handlers[action.type];
  if (!handler) throw new Error(`unknown action ${action.type}`);
  return handler(state, action);
}

const handlers = {
  set: (state, { values }) => ({ ...state, ...values }),
  tick: (state, { now }) => ({ ...state, now }),

  // MARK: Connection
  live: (state) => ({ ...state, connection: "live", lostSince: null, signInError: "" }),
  lost: (state, { now }) => ({
    ...state,
    connection: state.connection === "offline" ? "offline" : "lost",
    lostSince: state.lostSince ?? now,
  }),
  signedOut: (state, { message }) => ({
    ...initialState,
    now: state.now,
    connection: "signedOut",
    needsSession: true,
    signInError: message ?? "",
  }),
  server: (state, { info }) => ({
    ...state,
    capabilities: new Set(info.capabilities ?? []),
    attribution: info.geocoderAttribution ?? "",
  }),
  stored: (state, { copy }) => {
    const next = { ...state, lists: copy.lists, listID: copy.listID, storedAt: copy.time };
    return {
      ...next,
      content: { ...contentOf(copy.items, next), revision: copy.revision, incarnation: copy.incarnation, isComplete: true },
    };
  },

  // MARK: Lists
  lists: (state, { lists }) => ({ ...state, lists }),
  showList: (state, { id }) => ({
    ...state,
    listID: id,
    content: emptyContent,
    incoming: null,
    partial: [],
    screen: "list",
    panel: null,
    selection: null,
    query: emptyQuery,
    isSearching: false,
    isFiltering: false,
    undo: [],
    trash: null,
    history: null,
    isMenuOpen: false,
  }),

  // MARK: Content
  page: (state, { items, revision, incarnation }) => {
    if (state.content.isComplete) return state;
    const content = contentOf(items.map(readItem), state);
    return { ...state, content: { ...content, revision, incarnation, isComplete: false } };
  },
  discard: (state) => ({ ...state, incoming: null, partial: [], content: { ...state.content, isComplete: false } }),
  brokeOff: (state) => ({ ...state, incoming: null, partial: [] }),
  watched: (state, { messages }) => messages.reduce(watch, state),
  put: (state, { item }) => withChanges(state, [{ put: { item } }]),
  removed: (state, { id }) => withChanges(state, [{ deleted: { id } }]),

  // MARK: Looking around
  select: (state, { id }) => ({ ...state, selection: id }),
  open: (state, { id }) => ({ ...state, selection: id, panel: { kind: "item", id }, history: null, isMenuOpen: false }),
  /** The item is the one that the user sees in the form, whatever becomes of it meanwhile. */
  form: (state, { draft, item }) => ({ ...state, panel: { kind: "form", draft, original: draft, item }, isMenuOpen: false }),
  draft: (state, { values }) =>
    state.panel?.kind === "form" ? { ...state, panel: { ...state.panel, draft: { ...state.panel.draft, ...values } } } : state,
  candidates: (state, { address, candidates, attribution, problem }) =>
    state.panel?.draft?.address !== address
      ? state
      : { ...state, panel: { ...state.panel, candidates: { address, list: candidates, attribution, problem } } },
  close: (state) => ({ ...state, panel: null, history: null }),
  screen: (state, { screen }) => ({ ...state, screen, panel: null, isMenuOpen: false }),
  collapse: (state, { id }) => ({ ...state, collapsed: toggled(state.collapsed, id) }),
  query: (state, { values }) => ({ ...state, query: { ...state.query, ...values } }),
  endQuery: (state) => ({ ...state, query: emptyQuery, isSearching: false, isFiltering: false }),
  sort: (state, { order, reversed }) => {
    const next = { ...state, order: order ?? state.order, reversed: reversed ?? state.reversed };
    return { ...next, content: sorted(next.content, next) };
  },
  text: (state, { text }) => ({ ...state, quickAdd: { text, reading: text.trim() ? state.quickAdd.reading : null } }),
  reading: (state, { text, reading }) => (state.quickAdd.text === text ? { ...state, quickAdd: { text, reading } } : state),
  history: (state, { id, revisions }) => (state.panel?.id === id ? { ...state, history: { id, revisions } } : state),
  trash: (state, { items }) => ({ ...state, trash: items.map(readItem) }),

  // MARK: Telling, undoing
  notice: (state, { notice }) => withNotice(state, notice),
  done: (state, { entry, notice }) => ({ ...withNotice(state, notice), undo: [...state.undo.slice(-49), entry] }),
  // At once, so that another undo while this one is under way is of the change before.
  undoing: (state, { entry }) => ({ ...state, notice: null, undo: state.undo.filter((other) => other !== entry) }),
  notUndone: (state, { entry }) => ({ ...state, undo: [...state.undo, entry] }),
  calm: (state, { ids }) => ({ ...state, fresh: new Set([...state.fresh].filter((id) => !ids.has(id))) }),
};

const maximumMessages = 50;

/** Shows a notice, and keeps it among the messages. */
function withNotice(state, notice) {
  if (!notice) return { ...state, notice };
  return { ...state, notice, messages: [notice, ...state.messages.slice(0, maximumMessages - 1)] };
}

function toggled(set, id) {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

// MARK: - The watch

/** Applies a message of the watch. A revision takes effect once all of it has arrived. */
function watch(state, message) {
  if (message.snapshotPage) {
    const items = (message.snapshotPage.items ?? []).map(readItem);
    return { ...state, incoming: [...(state.incoming ?? []), items] };
  }
  if (message.snapshotEnd) {
    const { revision = "0", incarnation = "0" } = message.snapshotEnd;
    const content = contentOf((state.incoming ?? []).flat(), state);
    return { ...state, incoming: null, content: { ...content, revision: Number(revision), incarnation, isComplete: true } };
  }
  if (message.progress) {
    const { revision = "0", incarnation = "0" } = message.progress;
    return { ...state, content: { ...state.content, revision: Number(revision), incarnation } };
  }
  if (!message.changes) return state;
  const changes = [...state.partial, ...(message.changes.changes ?? [])];
  if (message.changes.moreFollow) return { ...state, partial: changes };
  const next = withChanges({ ...state, partial: [] }, changes);
  const revision = Number(changes.at(-1)?.revision ?? state.content.revision);
  return { ...next, content: { ...next.content, revision: Math.max(revision, state.content.revision) } };
}

function contentOf(list, state) {
  return sorted({ ...emptyContent, items: new ItemTable(list) }, state);
}

function sorted(content, { order, reversed, now }) {
  const todo = [];
  const done = [];
  for (const item of content.items.values()) (item.done ? done : todo).push(item);
  todo.sort(comparison(order, reversed, false, now));
  done.sort(comparison(order, reversed, true, now));
  return { ...content, todo, done };
}

/** Above this number of changes, sorting all rows once takes less time than copying them for each. */
const maximumMoves = 64;

/** Applies changes of items: those that the watch reports, and those that responses contain, whichever is earlier. */
function withChanges(state, changes) {
  const { items } = state.content;
  const isBatch = changes.length > maximumMoves;
  const changed = new Map();
  const rows = { todo: state.content.todo, done: state.content.done };
  const fresh = new Set(state.fresh);
  const ranks = {
    todo: comparison(state.order, state.reversed, false, state.now),
    done: comparison(state.order, state.reversed, true, state.now),
  };
  for (const change of changes) {
    const id = change.put?.item?.id ?? change.deleted?.id;
    const before = changed.has(id) ? changed.get(id) : items.get(id);
    const after = change.put ? readItem(change.put.item) : undefined;
    if (!id || (!before && !after) || (after && before && after.revision <= before.revision)) continue;
    changed.set(id, after);
    if (after) fresh.add(id);
    if (isBatch) continue;
    if (before) {
      const key = before.done ? "done" : "todo";
      rows[key] = without(rows[key], before, ranks[key]);
    }
    if (after) {
      const key = after.done ? "done" : "todo";
      rows[key] = rows[key].toSpliced(position(rows[key], after, ranks[key]), 0, after);
    }
  }
  const content = { ...state.content, items: items.with(changed), ...rows };
  return { ...state, fresh, content: isBatch ? sorted(content, state) : content };
}

function without(rows, item, rank) {
  const expected = position(rows, item, rank);
  const index = rows[expected] === item ? expected : rows.indexOf(item);
  return index < 0 ? rows : rows.toSpliced(index, 1);
}
