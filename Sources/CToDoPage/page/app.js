// Starts the page: connects the state, the views, the calls and what the user does.

import { h, patch } from "./dom.js";
import { Keys } from "./keys.js";
import { storeCopy, storedCopy } from "./offline.js";
import { PageActions } from "./page-actions.js";
import { listName, pageView } from "./shell.js";
import { Store } from "./store.js";
import { Sync } from "./sync.js";

const copyPause = 2000;
/** How long the page waits for the server before it shows the copy. */
const copyWait = 3000;

/** Updates what depends on the time: each second while the server is unreachable, else each minute. */
function keepTime(store) {
  let minute = 0;
  setInterval(() => {
    const now = Date.now();
    const isNextMinute = Math.floor(now / 60_000) !== minute;
    if (isNextMinute || store.state.connection === "lost") store.dispatch({ type: "tick", now });
    minute = Math.floor(now / 60_000);
  }, 1000);
}

/** Stores a copy of the list some time after it has changed, and shows the last one if the server is unreachable at the start. */
function keepCopy(store) {
  let stored = null;
  setInterval(() => {
    const { content, connection } = store.state;
    if (connection !== "live" || content === stored) return;
    stored = content;
    storeCopy(store.state);
  }, copyPause);
}

/** Shows the copy, if the server does not answer soon, or is known to be unreachable earlier. */
async function showCopy(store, sync) {
  const isWaiting = () => ["starting", "lost"].includes(store.state.connection) && !store.state.content.isComplete;
  const start = performance.now();
  while (store.state.connection === "starting" && navigator.onLine && performance.now() - start < copyWait)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const copy = isWaiting() ? await storedCopy() : null;
  if (!copy || !isWaiting()) return;
  store.dispatch({ type: "stored", copy });
  store.set({ connection: "offline" });
  // The copy may be of another list than the one that was requested.
  sync.start();
}

/** Marks of changes fade by themselves. */
function calmChanges(store) {
  let timer;
  return ({ fresh }) => {
    if (!fresh.size || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      store.dispatch({ type: "calm", ids: store.state.fresh });
    }, 1200);
  };
}

/** Marks the time of the first items in the browser's timeline. */
function markFirstItems({ content }) {
  if (content.items.size && !performance.getEntriesByName("first-items").length) performance.mark("first-items");
}

/** Takes the secret of a link that signs in out of the address, so that no history keeps it. */
function takeLink() {
  const link = location.hash.match(/^#sign-in=(\w+)$/)?.[1];
  if (link) history.replaceState(null, "", location.pathname + location.search);
  return link;
}

async function start() {
  const link = takeLink();
  // A link that is opened in this window.
  addEventListener("hashchange", () => location.hash.startsWith("#sign-in=") && location.reload());
  const store = new Store();
  const actions = new PageActions(store);
  const sync = new Sync(store);
  const calm = calmChanges(store);
  const root = document.getElementById("app");
  actions.sync = sync;
  actions.others.onmessage = () => {
    // No form keeps the page of a session that has ended.
    store.dispatch({ type: "close" });
    location.reload();
  };
  addEventListener("beforeunload", (event) => actions.hasChanges && event.preventDefault());
  store.leaveList = () => actions.leaveList();
  store.cameBack = () => actions.cameBack();
  store.signedOut = () => actions.signedOut(store.state.connection === "starting" ? actions.linkProblem : undefined);
  store.onChange((state) => {
    patch(root, h("div", null, pageView(state, actions.viewport, actions)).children);
    markFirstItems(state);
    document.title = state.connection === "signedOut" ? "To do" : `${listName(state)} · To do`;
    calm(state);
  });
  new Keys(store, actions);
  store.draw();
  sync.observe();
  keepTime(store);
  keepCopy(store);
  if (link) await actions.followLink(link);
  actions.start();
  showCopy(store, sync);
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}

start();
