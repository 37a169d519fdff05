// An item with all its fields, its map and its history.

import { dueLongText, timeText } from "./dates.js";
import { h } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { isOverdue } from "./items.js";
import { checkButton } from "./list-view.js";
import { drawMap } from "./map.js";
import {
  causeText,
  coordinate,
  coordinateText,
  fieldChangeText,
  granularityText,
  priorityWords,
  reminderText,
  repetitionText,
} from "./words.js";

/** The panel of an item, or what is left to say of one that is gone. */
export function panelView(state, actions) {
  const item = state.content.items.get(state.panel.id);
  const bar = h(
    "div",
    { class: "panel-bar", key: "bar" },
    iconButton("back", "Back to the list", () => actions.close(), { class: "icon-button panel-back" }),
    item &&
      h(
        "div",
        { class: "panel-actions" },
        iconButton("edit", "Edit", () => actions.edit(item.id)),
        !item.done && iconButton("later", "Postpone", () => actions.postpone(item.id)),
        state.lists.length > 1 && iconButton("move", "Move to another list", () => actions.move(item.id)),
        iconButton("trash", "Delete", () => actions.delete(item.id)),
      ),
  );
  if (!item) return [bar, h("h2", { id: "panel-title", class: "panel-title", tabindex: "-1", key: "gone" }, "This item is gone.")];
  return [
    bar,
    h(
      "div",
      { class: `panel-head priority-${item.priority}`, key: "head" },
      checkButton(item, actions),
      h("h2", { id: "panel-title", class: item.done ? "panel-title done" : "panel-title", tabindex: "-1" }, item.title),
    ),
    item.steps.length > 0 && stepsView(item, actions),
    fieldsView(item, state),
    item.note && h("div", { class: "note", key: "note" }, item.note),
    item.place?.coordinate && placeMap(item, state, actions),
    historyView(state),
  ];
}

function stepsView(item, actions) {
  return h(
    "ul",
    { class: "steps", role: "list", key: "steps", "aria-label": "Steps" },
    item.steps.map((step, index) =>
      h(
        "li",
        { class: step.done ? "step done" : "step" },
        h(
          "button",
          {
            type: "button",
            class: "check small",
            role: "checkbox",
            "aria-checked": String(step.done === true),
            "aria-label": step.text,
            onclick: () => actions.toggleStep(item, index),
          },
          icon("check"),
        ),
        h("span", { "aria-hidden": "true" }, step.text),
      ),
    ),
  );
}

function fieldsView(item, { now }) {
  const rows = [];
  const add = (name, ...value) => {
    if (value.flat().some(Boolean)) rows.push([name, value]);
  };
  add("Due", item.due && h("span", { class: isOverdue(item, now) ? "late" : "" }, dueLongText(item.due)));
  add("Repeats", item.repetition && repetitionText(item.repetition));
  add("Waits until", item.wait !== null && timeText(item.wait, now));
  add("Reminders", item.reminders.length > 0 && item.reminders.map((reminder) => reminderText(reminder, now)).join(", "));
  add("Priority", item.priority > 0 && priorityWords[item.priority]);
  add(
    "Tags",
    item.tags.map((tag) => h("span", { class: "tag" }, `#${tag}`)),
  );
  add("Place", item.place?.name);
  add("Address", item.place?.address);
  if (item.place?.coordinate) {
    const found = [granularityText(item.place.granularity), item.place.source && `found by ${item.place.source}`]
      .filter(Boolean)
      .join(", ");
    add(
      "Coordinate",
      h(
        "a",
        { href: mapLink(item.place), target: "_blank", rel: "noopener noreferrer", id: "web-map" },
        coordinateText(item.place.coordinate),
      ),
      found && h("span", { class: "faint" }, ` ${found}`),
    );
  }
  add("Done", item.completed !== null && timeText(item.completed, now));
  add("Added", item.created !== null && timeText(item.created, now));
  if (item.number > 0) add("Number", String(item.number));
  return h(
    "dl",
    { class: "fields", key: "fields" },
    rows.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))),
  );
}

/** Returns the web map of a place. */
export function mapLink(place) {
  const { latitude, longitude } = coordinate(place.coordinate);
  const [y, x] = [latitude.toFixed(5), longitude.toFixed(5)];
  return `https://www.openstreetmap.org/?mlat=${y}&mlon=${x}#map=15/${y}/${x}`;
}

export function geoURI(place) {
  const { latitude, longitude } = coordinate(place.coordinate);
  return `geo:${latitude.toFixed(5)},${longitude.toFixed(5)}`;
}

function placeMap(item, state, actions) {
  const place = coordinate(item.place.coordinate);
  const view = { center: place, radius: radii[item.place.granularity] ?? 120 };
  return h(
    "button",
    {
      type: "button",
      class: "place-map",
      key: "map",
      "aria-label": `Map of ${item.place.name || item.place.address || "the place"}`,
      onclick: () => actions.showMap(item.id),
    },
    h("canvas", { "aria-hidden": "true", draw: (canvas) => drawMap(canvas, state.world, view, [{ ...place, isSelected: true }]) }),
    state.attribution && h("span", { class: "attribution" }, state.attribution),
  );
}

// The radius of the map in kilometers, by how precisely the place is known.
const radii = { GRANULARITY_REGION: 300, GRANULARITY_COUNTRY: 800 };

function historyView({ history, panel, now }) {
  if (!history || history.id !== panel.id || !history.revisions.length) return null;
  const rows = history.revisions.flatMap((revision) => {
    const change = revision.changes?.find(({ itemId }) => itemId === panel.id);
    if (!change) return [];
    const who = revision.user || (revision.own ? "" : revision.client?.split(" ")[0]) || "";
    const fields = (change.fields ?? []).map((field) => fieldChangeText(field, now)).filter(Boolean);
    return [
      h(
        "li",
        { key: revision.revision },
        h("span", { class: "faint" }, timeText(Date.parse(revision.changeTime), now)),
        " ",
        who,
        who && " ",
        causeText(change),
        fields.map((text) => h("div", { class: "change" }, text)),
      ),
    ];
  });
  return h("details", { class: "history", key: "history" }, h("summary", null, "History"), h("ul", { role: "list" }, rows));
}
