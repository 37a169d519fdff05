// The form of an item.

import { h } from "./dom.js";
import { problemsOf } from "./form.js";
import { icon, iconButton } from "./icons.js";
import { drawMap } from "./map.js";
import { candidateText } from "./item-actions.js";
import { zone } from "./dates.js";
import { coordinate, priorityWords, reminderText, repetitionText } from "./words.js";

export function formView(state, actions) {
  const { draft, candidates, isSubmitted } = state.panel;
  const problems = isSubmitted ? problemsOf(draft) : {};
  const set = (values) => actions.draft(values);
  const field = (name, label, more = {}) =>
    textField({ name, label, value: draft[name], problem: problems[name], onvalue: (value) => set({ [name]: value }), ...more });
  return h(
    "form",
    {
      class: "form",
      key: `form ${draft.id}`,
      onsubmit: (event) => {
        event.preventDefault();
        actions.submitForm();
      },
    },
    h(
      "div",
      { class: "panel-bar" },
      iconButton("close", "Cancel", () => actions.cancelForm()),
      h("h2", { id: "panel-title", class: "form-title", tabindex: "-1" }, draft.id ? "Edit item" : "New item"),
      h("button", { type: "submit", class: "main-button" }, "Save"),
    ),
    field("title", "Title", { id: "form-title-field", multiline: true, rows: 2 }),
    h("div", { class: "pair" }, field("date", "Due on", { kind: "date" }), field("time", "at", { kind: "time" })),
    repeatField(draft, problems, set),
    remindersField(state, draft, problems, set),
    h(
      "fieldset",
      { class: "field" },
      h("legend", null, "Priority"),
      h(
        "div",
        { class: "segments" },
        priorityWords.map((word, index) =>
          h(
            "label",
            { class: "segment" },
            h("input", {
              type: "radio",
              name: "priority",
              value: String(index),
              checked: draft.priority === String(index),
              onchange: () => set({ priority: String(index) }),
            }),
            h("span", null, word),
          ),
        ),
      ),
    ),
    field("tags", "Tags", { placeholder: "errands work/urgent", list: "known-tags" }),
    field("place", "Place", { placeholder: "Corner shop" }),
    field("address", "Address", { onvalue: (value) => actions.searchAddress(value), id: "address" }),
    candidatesView(state, draft, candidates, set),
    field("steps", "Steps, one per line", { multiline: true, rows: 3 }),
    h("div", { class: "pair" }, field("waitDate", "Hide until", { kind: "date" }), field("waitTime", "at", { kind: "time" })),
    field("note", "Note", { multiline: true, rows: 4 }),
  );
}

/** A labelled field with what is wrong with it. */
export function textField({ name, label, value, kind = "text", multiline, rows, problem, onvalue, id = `field-${name}`, ...more }) {
  const common = {
    id,
    value,
    class: "input",
    "aria-invalid": problem ? "true" : null,
    "aria-describedby": problem ? `${id}-problem` : null,
    oninput: (event) => onvalue(event.target.value),
    ...more,
  };
  return h(
    "div",
    { class: "field", key: name },
    h("label", { for: id }, label),
    multiline ? h("textarea", { rows: String(rows), ...common }) : h("input", { type: kind, autocomplete: "off", ...common }),
    problem && h("p", { class: "problem", id: `${id}-problem` }, problem),
  );
}

const units = [
  ["FREQUENCY_DAILY", "days"],
  ["FREQUENCY_WEEKLY", "weeks"],
  ["FREQUENCY_MONTHLY", "months"],
  ["FREQUENCY_YEARLY", "years"],
];

function repeatField({ repeat }, problems, set) {
  const change = (values) => set({ repeat: { ...repeat, ...values } });
  const kinds = [
    ["none", "Does not repeat"],
    ["rule", "Repeats every"],
    ["after", "Comes back after done, in"],
  ];
  if (repeat.original && repeat.kind === "same") kinds.push(["same", `Repeats ${repetitionText(repeat.original)}`]);
  const hasCount = repeat.kind === "rule" || repeat.kind === "after";
  return h(
    "fieldset",
    { class: "field", key: "repeat" },
    h("legend", null, "Repetition"),
    h(
      "div",
      { class: "line" },
      h(
        "select",
        {
          class: "input",
          "aria-label": "Repetition",
          value: repeat.kind,
          onchange: (event) => change({ kind: event.target.value }),
        },
        kinds.map(([value, label]) => h("option", { value }, label)),
      ),
      hasCount &&
        h("input", {
          class: "input count-input",
          type: "number",
          min: "1",
          max: "999",
          "aria-label": "Count",
          value: repeat.count,
          oninput: (event) => change({ count: event.target.value }),
        }),
      hasCount &&
        h(
          "select",
          { class: "input", "aria-label": "Unit", value: repeat.unit, onchange: (event) => change({ unit: event.target.value }) },
          units.map(([value, label]) => h("option", { value }, label)),
        ),
    ),
    problems.repeat && h("p", { class: "problem" }, problems.repeat),
  );
}

const presets = () => [
  ["When due", { secondsBefore: "0" }],
  ["10 minutes before", { secondsBefore: "600" }],
  ["1 hour before", { secondsBefore: "3600" }],
  ["1 day before", { secondsBefore: "86400" }],
  ["Same day 9:00", { day: { minuteOfDay: 540, timeZone: zone } }],
  ["Day before 18:00", { day: { daysBefore: 1, minuteOfDay: 1080, timeZone: zone } }],
  ["When arriving", { place: "PLACE_TRIGGER_ARRIVING" }],
  ["When leaving", { place: "PLACE_TRIGGER_LEAVING" }],
];

function remindersField(state, { reminders }, problems, set) {
  const add = (event) => {
    const preset = presets()[event.target.value];
    event.target.value = "";
    if (preset) set({ reminders: [...reminders, preset[1]] });
  };
  return h(
    "fieldset",
    { class: "field", key: "reminders" },
    h("legend", null, "Reminders"),
    h(
      "div",
      { class: "line" },
      reminders.map((reminder, index) =>
        h(
          "span",
          { class: "chip" },
          reminderText(reminder, state.now),
          h(
            "button",
            {
              type: "button",
              class: "chip-close",
              "aria-label": `Remove ${reminderText(reminder, state.now)}`,
              onclick: () => set({ reminders: reminders.toSpliced(index, 1) }),
            },
            icon("close"),
          ),
        ),
      ),
      reminders.length < 8 &&
        h(
          "select",
          { class: "input", "aria-label": "Add a reminder", onchange: add },
          h("option", { value: "" }, "Add…"),
          presets().map(([label], index) => h("option", { value: String(index) }, label)),
        ),
    ),
    problems.reminders && h("p", { class: "problem" }, problems.reminders),
  );
}

function candidatesView(state, draft, candidates, set) {
  if (!candidates || candidates.address !== draft.address || !draft.address) return null;
  const { list, attribution, problem } = candidates;
  if (!list.length)
    return h(
      "p",
      { class: "hint", key: "candidates", role: "status" },
      problem ? `The address can't be looked up: ${problem}` : "No place is known for this address.",
    );
  const chosen = draft.candidate ?? (list[0].guess ? null : list[0]);
  return h(
    "fieldset",
    { class: "field candidates", key: "candidates" },
    h("legend", null, "Where it is"),
    list.map((candidate) =>
      h(
        "label",
        { class: "candidate" },
        h("input", { type: "radio", name: "candidate", checked: candidate === chosen, onchange: () => set({ candidate }) }),
        h("span", null, candidateText(candidate)),
      ),
    ),
    chosen &&
      h("canvas", {
        class: "form-map",
        "aria-hidden": "true",
        draw: (canvas) => {
          const place = coordinate(chosen.coordinate);
          drawMap(canvas, state.world, { center: place, radius: 150 }, [{ ...place, isSelected: true }]);
        },
      }),
    attribution && h("p", { class: "attribution" }, attribution),
  );
}
