// The map of the list: its incomplete items with a coordinate, and those nearest to the center as a list.

import { dueText } from "./dates.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { Projection, distance, distanceText, drawMap, viewOf } from "./map.js";
import { coordinate, placeText, plural } from "./words.js";

const nearestCount = 40;
const reach = 16;

/** Returns the incomplete items with a coordinate, as places of a map. */
export function placesOf({ content, selection }) {
  return content.todo
    .filter(({ place }) => place?.coordinate)
    .map((item) => ({ ...coordinate(item.place.coordinate), item, isSelected: item.id === selection }));
}

export const mapOf = (state) => state.map ?? viewOf(placesOf(state));

/** Returns a view that is moved by a part of its size, or zoomed. */
export function movedView(view, { x = 0, y = 0, zoom = 1 }, size = { width: 2, height: 2 }) {
  const projection = new Projection(view, size.width, size.height);
  const center = projection.coordinate(size.width / 2 + x, size.height / 2 + y);
  return { center, radius: Math.min(20_000, Math.max(1, view.radius / zoom)) };
}

/** Returns the place within reach of a point of the window. */
export function placeAt(state, { width, height }, x, y) {
  const projection = new Projection(mapOf(state), width, height);
  let best = null;
  let least = reach;
  for (const place of placesOf(state)) {
    const [placeX, placeY] = projection.point(place);
    const away = Math.hypot(placeX - x, placeY - y);
    if (away <= least) [best, least] = [place, away];
  }
  return best;
}

/** Returns the places by their distance from the center. */
export function nearest(state) {
  const { center } = mapOf(state);
  return placesOf(state)
    .map((place) => ({ ...place, away: distance(center, place) }))
    .sort((a, b) => a.away - b.away);
}

export function mapView(state, actions) {
  const places = nearest(state);
  return h(
    "div",
    { class: "map-screen", key: "map" },
    h(
      "div",
      { class: "map-frame" },
      h("canvas", {
        class: "map",
        id: "map",
        tabindex: "0",
        role: "img",
        "aria-label": `Map with ${plural(places.length, "item")}. The list of them follows.`,
        ready: (canvas) => actions.followPointers(canvas),
        draw: (canvas) => drawMap(canvas, state.world, mapOf(state), places),
      }),
      h(
        "div",
        { class: "map-buttons" },
        iconButton("plus", "Zoom in", () => actions.moveMap({ zoom: 1.6 })),
        iconButton("minus", "Zoom out", () => actions.moveMap({ zoom: 1 / 1.6 })),
        iconButton("map", "Show all items", () => actions.showAllOnMap()),
      ),
      state.attribution && h("span", { class: "attribution" }, state.attribution),
    ),
    places.length === 0
      ? h("p", { class: "hint" }, "No incomplete item has a place on the map. Add an address to one.")
      : h(
          "ul",
          { class: "nearest", role: "list", "aria-label": "Items by distance from the center" },
          places
            .slice(0, nearestCount)
            .map(({ item, away }) =>
              h(
                "li",
                { key: item.id },
                h(
                  "button",
                  { type: "button", class: "nearest-item", onclick: () => actions.open(item.id) },
                  h("span", { class: "title" }, item.title),
                  h(
                    "span",
                    { class: "meta" },
                    [distanceText(away), placeText(item.place), item.due && dueText(item.due, state.now)]
                      .filter(Boolean)
                      .join(" · "),
                  ),
                ),
              ),
            ),
        ),
  );
}
