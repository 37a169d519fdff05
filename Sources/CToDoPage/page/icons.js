// The icons: paths in a square of 24 by 24.

import { h } from "./dom.js";

const paths = {
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4.5 4.5",
  filter: "M4 6h16M7.5 12h9M10.5 18h3",
  map: "M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18l-4 1zM14 7l3 3",
  later: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
  move: "M4 12h15M13 6l6 6-6 6",
  repeat: "M5 11V9.5A2.5 2.5 0 0 1 7.5 7H18M15 4l3 3-3 3M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H6M9 20l-3-3 3-3",
  bell: "M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10.5 20.5h3",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M6.5 12.5l3.8 3.8 7.2-8",
  note: "M5 7h14M5 12h14M5 17h8",
  sort: "M8 5v14M4.5 15.5L8 19l3.5-3.5M16 19V5M12.5 8.5L16 5l3.5 3.5",
  out: "M14 5H6v14h8M10 12h10M17 8.5l3.5 3.5L17 15.5",
  keys: "M4 7h16v10H4zM8 14h8M8 10.5h.01M12 10.5h.01M16 10.5h.01",
  people: "M9 5.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.5 19a5.5 5.5 0 0 1 11 0M16 6a3 3 0 0 1 0 5.5M17 14a5 5 0 0 1 3.5 5",
  tag: "M4 4.5h7.5L20 13l-7 7-8.5-8.5zM8.5 8.5h.01",
};

/** An icon. It says nothing to screen readers: the button has a label. */
export const icon = (name) =>
  h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, h("path", { d: paths[name] }));

/** A button with an icon and a label for screen readers and tooltips. */
export const iconButton = (name, label, onclick, more = {}) =>
  h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more }, icon(name));
