// The frame of the page: the menu with the lists, the header, notices, questions and the sign-in.

import { clockText, dayNumber, durationText, timeText } from "./dates.js";
import { h } from "./dom.js";
import { formView } from "./form-view.js";
import { icon, iconButton } from "./icons.js";
import { orders, tagCounts } from "./items.js";
import { keyTable } from "./key-table.js";
import { hidden, listView } from "./list-view.js";
import { mapView } from "./map-view.js";
import { panelView } from "./panel-view.js";
import { quickAddView } from "./quick-add.js";
import { plural } from "./words.js";

/** The whole page. */
export function pageView(state, viewport, actions) {
  if (state.connection === "signedOut") return [signInView(state, actions), dialogView(state)];
  const hasPanel = state.panel !== null;
  return [
    h(
      "a",
      {
        class: "skip",
        href: "#main",
        key: "skip",
        onclick: (event) => {
          event.preventDefault();
          actions.focusList();
        },
      },
      "Skip to the list",
    ),
    h(
      "div",
      { key: "frame", class: `frame${hasPanel ? " has-panel" : ""}${state.isMenuOpen ? " has-menu" : ""}` },
      h("nav", { class: "menu", key: "menu", id: "menu", "aria-label": "Lists" }, menuView(state, actions)),
      state.isMenuOpen && h("div", { class: "scrim", key: "scrim", onclick: () => actions.menu(false) }),
      h(
        "main",
        { class: "main", key: "main", id: "main", tabindex: "-1" },
        headerView(state, actions),
        statusView(state),
        state.screen === "list" && quickAddView(state, actions),
        state.screen === "list" && barView(state, actions),
        screenView(state, viewport, actions),
      ),
      hasPanel &&
        h(
          "aside",
          { class: "panel", key: "panel", "aria-label": state.panel.kind === "form" ? "Form" : "Item" },
          state.panel.kind === "form" ? formView(state, actions) : panelView(state, actions),
        ),
    ),
    h(
      "datalist",
      { id: "known-tags", key: "tags" },
      tagsOf(state).map(({ tag }) => h("option", { value: tag })),
    ),
    noticeView(state, actions),
    dialogView(state),
  ];
}

// Counting the tags of a long list takes time, so its counts may be a minute old.
let known = { todo: null, tags: [], now: 0 };
function tagsOf({ content: { todo }, now }) {
  const isRecent = known.todo === todo || (todo.length > 5000 && known.now === now && known.todo?.length > 5000);
  if (!isRecent) known = { todo, tags: tagCounts(todo), now };
  return known.tags;
}

export const listName = ({ lists, listID }) =>
  lists.find(({ id }) => id === listID)?.name ?? (listID === "default" ? "Inbox" : "List");

// MARK: - Menu

// A list without a color gets the one that `todo ui` derives from its ID, too.
const accents = ["blue", "green", "orange", "purple", "teal", "pink", "yellow", "red"];
const accentOf = (id) => `dot-${accents[parseInt(id.at(-1), 16) % 8 || 0]}`;
const colorOf = ({ id, color }) => `dot ${color?.toLowerCase().replace("list_color_", "dot-") ?? accentOf(id)}`;

function menuView(state, actions) {
  const own = state.lists.filter(({ invitation }) => !invitation);
  const invitations = state.lists.filter(({ invitation }) => invitation);
  const list = (entry) => {
    const isCurrent = entry.id === state.listID && state.screen === "list";
    return h(
      "li",
      { key: entry.id },
      h(
        "button",
        {
          type: "button",
          class: "menu-item",
          "aria-current": isCurrent ? "page" : null,
          onclick: () => actions.showList(entry.id),
        },
        h("span", { class: colorOf(entry), "aria-hidden": "true" }),
        h("span", { class: "menu-name" }, entry.name),
        entry.ownerUser && h("span", { class: "faint" }, entry.ownerUser),
      ),
    );
  };
  const item = (name, label, onclick, isCurrent = false) =>
    h(
      "button",
      {
        type: "button",
        class: "menu-item",
        onclick,
        "aria-current": isCurrent ? "page" : null,
      },
      icon(name),
      h("span", { class: "menu-name" }, label),
    );
  return [
    h(
      "div",
      { class: "menu-head", key: "head" },
      h("span", { class: "brand" }, "To do"),
      iconButton("close", "Close the menu", () => actions.menu(false), { class: "icon-button menu-close" }),
    ),
    h("ul", { class: "menu-list", role: "list", key: "lists" }, own.map(list)),
    invitations.map((entry) =>
      h(
        "div",
        { class: "invitation", key: `invitation ${entry.id}` },
        h("p", null, `${entry.ownerUser} shares “${entry.name}” with you.`),
        h("button", { type: "button", class: "small-button", onclick: () => actions.answerInvitation(entry, true) }, "Accept"),
        h("button", { type: "button", class: "small-button", onclick: () => actions.answerInvitation(entry, false) }, "Decline"),
      ),
    ),
    h(
      "div",
      { key: "new" },
      item("plus", "New list", () => actions.newList()),
    ),
    tagsView(state, actions),
    h(
      "div",
      { class: "menu-end", key: "end" },
      item("map", "Map", () => actions.screen("map"), state.screen === "map"),
      item("trash", "Trash", () => actions.screen("trash"), state.screen === "trash"),
      item("keys", "Keys", () => actions.showKeys()),
      state.needsSession && item("out", state.user ? `Sign out ${state.user}` : "Sign out", () => actions.signOut()),
    ),
  ];
}

function tagsView(state, actions) {
  const tags = tagsOf(state).slice(0, 30);
  if (!tags.length) return null;
  return h(
    "div",
    { class: "menu-tags", key: "tags" },
    h("h2", { class: "menu-title" }, "Tags"),
    h(
      "ul",
      { role: "list" },
      tags.map(({ tag, count }) => {
        const isOn = state.query.marks === tag;
        return h(
          "li",
          { key: tag },
          h(
            "button",
            {
              type: "button",
              class: "tag-button",
              "aria-pressed": String(isOn),
              onclick: () => actions.filterTag(isOn ? "" : tag),
            },
            `#${tag}`,
            h("span", { class: "count" }, hidden(", items: "), String(count)),
          ),
        );
      }),
    ),
  );
}

// MARK: - Header

function headerView(state, actions) {
  const title = state.screen === "map" ? `Map of ${listName(state)}` : state.screen === "trash" ? "Trash" : listName(state);
  const isCustom = state.screen === "list" && state.listID !== "default";
  const list = state.lists.find(({ id }) => id === state.listID);
  return h(
    "header",
    { class: "header", key: "header" },
    iconButton("menu", "Lists", () => actions.menu(true), {
      class: "icon-button menu-button",
      "aria-expanded": String(state.isMenuOpen),
      "aria-controls": "menu",
    }),
    h("h1", { class: "list-title" }, title),
    h(
      "div",
      { class: "header-actions" },
      state.screen !== "list" && iconButton("list", "Show the list", () => actions.screen("list")),
      isCustom && !list?.ownerUser && state.user && iconButton("people", "Share the list", () => actions.shareList()),
      isCustom && !list?.ownerUser && iconButton("edit", "Rename the list", () => actions.renameList()),
      isCustom &&
        (list?.ownerUser
          ? iconButton("out", "Leave the list", () => actions.answerInvitation(list, false))
          : iconButton("trash", "Delete the list", () => actions.deleteList())),
      state.screen === "list" && [
        iconButton("search", "Search", () => actions.search(), { "aria-pressed": String(state.isSearching) }),
        iconButton("filter", "Filter", () => actions.filter(), { "aria-pressed": String(state.isFiltering) }),
        iconButton("sort", `Sort: by ${orders[state.order].name}`, () => actions.chooseOrder()),
        iconButton("map", "Show the items on a map", () => actions.screen("map")),
      ],
      state.screen === "trash" &&
        state.trash?.length > 0 &&
        h("button", { type: "button", class: "small-button", onclick: () => actions.emptyTrash() }, "Empty"),
    ),
  );
}

/** The connection, if it is not as it should be. Always there, so that screen readers tell its changes. */
function statusView({ connection, lostSince, storedAt, now }) {
  let text = "";
  if (connection === "offline")
    text = `Offline. This is the list as of ${storedAt ? timeText(storedAt, now) : "before"}; it can't be changed now.`;
  else if (connection === "lost" && lostSince)
    text = `The server has been unreachable for ${durationText(now - lostSince)}. Trying again…`;
  return h("p", { class: text ? "status shown" : "status", role: "status", key: "status", id: "connection" }, text);
}

/** The search and the filter. */
function barView(state, actions) {
  if (!state.isSearching && !state.isFiltering) return null;
  const { query } = state;
  const input = (name, label, more = {}) =>
    h("input", {
      class: "input",
      "aria-label": label,
      placeholder: label,
      value: query[name],
      autocomplete: "off",
      oninput: (event) => actions.query({ [name]: event.target.value }),
      ...more,
    });
  return h(
    "search",
    { class: "bar", key: "bar" },
    state.isSearching && input("text", "Search", { id: "search", type: "search" }),
    state.isFiltering && [
      h(
        "select",
        {
          class: "input",
          id: "filter",
          "aria-label": "Due",
          value: query.due,
          onchange: (event) => actions.query({ due: event.target.value }),
        },
        [
          ["", "Any date"],
          ["overdue", "Overdue"],
          ["today", "Today"],
          ["week", "Next seven days"],
          ["none", "No date"],
        ].map(([value, label]) => h("option", { value }, label)),
      ),
      input("place", "Place"),
      input("marks", "Tags: work -home !!", { list: "known-tags" }),
    ],
    iconButton("close", "End the search", () => actions.endQuery()),
  );
}

// MARK: - Screens

function screenView(state, viewport, actions) {
  if (state.screen === "map") return mapView(state, actions);
  if (state.screen === "trash") return trashView(state, actions);
  return h(
    "div",
    { class: "scroll", id: "rows", key: "rows", tabindex: "-1", ready: (element) => actions.followScroll(element) },
    listView(state, viewport, actions),
  );
}

function trashView({ trash, now }, actions) {
  if (!trash) return h("p", { class: "hint", key: "trash" }, "Loading…");
  if (!trash.length)
    return h(
      "div",
      { class: "empty", key: "trash" },
      h("p", { class: "empty-title" }, "The trash is empty."),
      h("p", null, "Deleted items stay here for 30 days."),
    );
  return h(
    "div",
    { class: "scroll", key: "trash", tabindex: "0" },
    h(
      "ul",
      { class: "trash", role: "list", "aria-label": plural(trash.length, "deleted item") },
      trash.map((item) =>
        h(
          "li",
          { key: item.id },
          h(
            "div",
            { class: "row-main" },
            h("span", { class: "title" }, item.title),
            h("span", { class: "meta" }, `deleted ${timeText(item.deleted, now)}, kept until ${timeText(item.expires, now)}`),
          ),
          h(
            "button",
            { type: "button", class: "small-button", "aria-label": `Restore ${item.title}`, onclick: () => actions.restore(item) },
            "Restore",
          ),
        ),
      ),
    ),
  );
}

// MARK: - Notices and questions

function noticeView({ notice }, actions) {
  return h(
    "div",
    { class: "notices", key: "notices", role: "status", "aria-live": "polite" },
    notice &&
      h(
        "div",
        { class: notice.isProblem ? "notice problem-notice" : "notice", key: notice.id },
        h("span", null, notice.text),
        notice.undo && h("button", { type: "button", class: "notice-button", onclick: () => actions.undo(notice.undo) }, "Undo"),
        iconButton("close", "Dismiss", () => actions.dismiss()),
      ),
  );
}

function dialogView({ dialog, messages, now }) {
  if (!dialog) return null;
  const { answer } = dialog;
  return h(
    "dialog",
    {
      key: `dialog ${dialog.title}`,
      class: "dialog",
      "aria-labelledby": "dialog-title",
      ready: (element) => element.showModal(),
      oncancel: (event) => {
        event.preventDefault();
        answer(undefined);
      },
      onclick: (event) => {
        if (event.target.tagName === "DIALOG") answer(undefined);
      },
    },
    h(
      "form",
      {
        class: "dialog-body",
        method: "dialog",
        onsubmit: (event) => {
          event.preventDefault();
          submitDialog(dialog, event);
        },
      },
      h("h2", { id: "dialog-title" }, dialog.title),
      dialog.text && h("p", null, dialog.text),
      dialog.keys ? keysView() : null,
      dialog.messages ? messagesView(messages, now) : null,
      dialog.field &&
        h(
          "div",
          { class: "field" },
          h("label", { for: "dialog-field" }, dialog.field.label),
          h("input", {
            id: "dialog-field",
            name: "field",
            class: "input",
            type: dialog.field.kind,
            autocomplete: "off",
            maxlength: "64",
            ready: (element) => {
              element.value = dialog.field.value;
              element.select?.();
            },
          }),
        ),
      h(
        "div",
        { class: dialog.choices?.length > 2 ? "choices many" : "choices" },
        (dialog.choices ?? []).map(({ value, read, label, isMain, isDanger }, index) =>
          h(
            "button",
            {
              type: read ? "submit" : "button",
              class: `choice${isMain ? " main-button" : ""}${isDanger ? " danger" : ""}`,
              "data-index": index,
              onclick: read ? undefined : () => answer(value),
            },
            label,
          ),
        ),
        h(
          "button",
          { type: "button", class: "choice", onclick: () => answer(undefined) },
          dialog.choices?.length ? "Cancel" : "Close",
        ),
      ),
      dialog.footer && h("p", { class: "attribution" }, dialog.footer),
    ),
  );
}

/** Answers with what the pressed choice, or the first one that does, reads in the field. */
function submitDialog({ choices = [], answer }, event) {
  const choice = choices[event.submitter?.dataset.index] ?? choices.find(({ read }) => read);
  answer(choice?.read(event.target.elements.field.value.trim()));
}

const keysView = () =>
  h(
    "div",
    { class: "keys", tabindex: "0" },
    keyTable.map(([title, rows]) =>
      h(
        "section",
        { key: title },
        h("h3", null, title),
        h(
          "dl",
          null,
          rows.map(([keys, action]) =>
            h(
              "div",
              { key: keys },
              h(
                "dt",
                null,
                keys.split(" ").map((key) => [h("kbd", null, key), " "]),
              ),
              h("dd", null, action),
            ),
          ),
        ),
      ),
    ),
  );

function messagesView(messages, now) {
  if (!messages.length) return h("p", null, "No change was made or failed yet.");
  return h(
    "ul",
    { class: "messages", role: "list", tabindex: "0", "aria-label": "Messages" },
    messages.map(({ id, text, isProblem, time }) =>
      h(
        "li",
        { key: id, class: isProblem ? "problem" : "" },
        h("span", { class: "faint" }, dayNumber(time) === dayNumber(now) ? clockText(time) : timeText(time, now)),
        " ",
        text,
      ),
    ),
  );
}

// MARK: - Sign-in

function signInView({ signInError, isSigningIn }, actions) {
  return h(
    "main",
    { class: "sign-in", key: "sign-in" },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          actions.signIn({ token: event.target.elements.token.value.trim() });
        },
      },
      h("h1", { class: "brand" }, "To do"),
      h(
        "div",
        { class: "field" },
        h("label", { for: "token" }, "Token"),
        h("input", {
          id: "token",
          name: "token",
          class: "input",
          type: "password",
          autocomplete: "current-password",
          required: true,
          "aria-describedby": "sign-in-hint sign-in-problem",
        }),
      ),
      h("p", { class: "problem", id: "sign-in-problem", role: "alert" }, signInError),
      h("button", { type: "submit", class: "main-button", disabled: isSigningIn }, isSigningIn ? "Signing in…" : "Sign in"),
      h("p", { class: "faint", id: "sign-in-hint" }, "The operator of this server gave you a token. It begins with todo_."),
    ),
  );
}
