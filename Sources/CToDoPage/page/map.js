// Maps: the coasts, borders and towns of the world that the server has, and the places of items.
//
// A view is a center and a radius in kilometers. The projection is Mercator's.

const earth = 6371.0088;
const limit = 85;
const radians = (degrees) => (degrees * Math.PI) / 180;
const mercator = (latitude) => Math.log(Math.tan(Math.PI / 4 + radians(Math.max(-limit, Math.min(limit, latitude))) / 2));

/** Returns the distance of two coordinates in kilometers. */
export function distance(a, b) {
  const [x, y] = [radians(b.latitude - a.latitude) / 2, radians(b.longitude - a.longitude) / 2];
  const square = Math.sin(x) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(y) ** 2;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Returns the lines of `/page/world.json` and the towns of `/page/towns.json` in degrees. A line has differences of points. */
export function readWorld(
  { unitsPerDegree: lineUnits = 100, coasts = [], borders = [] },
  { unitsPerDegree: townUnits = 100, towns = [] },
) {
  const read = (line) => {
    const degrees = new Float64Array(line.length);
    for (const axis of [0, 1]) {
      let units = 0;
      for (let index = axis; index < line.length; index += 2) {
        units += line[index];
        degrees[index] = units / lineUnits;
      }
    }
    return degrees;
  };
  const town = ([name, latitude, longitude]) => ({ name, latitude: latitude / townUnits, longitude: longitude / townUnits });
  return { coasts: coasts.map(read), borders: borders.map(read), towns: towns.map(town) };
}

/** Returns a distance in words, such as `350 m` or `12 km`. */
export const distanceText = (kilometers) =>
  kilometers < 1
    ? `${Math.round(kilometers * 100) * 10} m`
    : `${kilometers < 10 ? kilometers.toFixed(1) : Math.round(kilometers).toLocaleString("en")} km`;

/** Converts between coordinates and the points of a window. */
export class Projection {
  constructor({ center, radius }, width, height) {
    this.center = center;
    this.width = width;
    this.height = height;
    // The points of a radian of longitude.
    this.scale =
      (Math.min(width, height) / 2 / radius) * earth * Math.cos(radians(Math.max(-limit, Math.min(limit, center.latitude))));
    this.middle = mercator(center.latitude);
  }

  point({ latitude, longitude }) {
    let turn = longitude - this.center.longitude;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    return [this.width / 2 + radians(turn) * this.scale, this.height / 2 - (mercator(latitude) - this.middle) * this.scale];
  }

  coordinate(x, y) {
    let longitude = this.center.longitude + ((x - this.width / 2) / this.scale) * (180 / Math.PI);
    if (longitude > 180) longitude -= 360;
    if (longitude < -180) longitude += 360;
    const north = this.middle - (y - this.height / 2) / this.scale;
    const latitude = (2 * Math.atan(Math.exp(north)) - Math.PI / 2) * (180 / Math.PI);
    return { latitude: Math.max(-limit, Math.min(limit, latitude)), longitude };
  }
}

/** Returns the view that shows all places. */
export function viewOf(places) {
  if (!places.length) return { center: { latitude: 30, longitude: 10 }, radius: 9000 };
  // The longitudes relative to the first one, so that places on both sides of the antimeridian are neighbors.
  const first = places[0].longitude;
  const turns = places.map(({ longitude }) => ((longitude - first + 540) % 360) - 180);
  const latitudes = places.map(({ latitude }) => latitude);
  const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
  const longitude = ((first + middle(turns) + 540) % 360) - 180;
  const center = { latitude: middle(latitudes), longitude };
  const radius = Math.max(60, ...places.map((place) => distance(center, place))) * 1.3;
  return { center, radius: Math.min(9000, radius) };
}

/** Draws a map on a canvas with the colors of the page. */
export function drawMap(canvas, world, view, places) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return;
  const ratio = devicePixelRatio || 1;
  const [pixelsWide, pixelsHigh] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelsWide || canvas.height !== pixelsHigh) [canvas.width, canvas.height] = [pixelsWide, pixelsHigh];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(name);
  context.clearRect(0, 0, width, height);
  const projection = new Projection(view, width, height);
  context.lineJoin = "round";
  if (world) {
    drawLines(context, projection, world.borders, color("--map-border"), 1, [3, 3]);
    drawLines(context, projection, world.coasts, color("--map-coast"), 1.5, []);
    drawTowns(context, projection, world.towns, color("--map-town"), places);
  }
  for (const place of places.filter(({ isSelected }) => !isSelected)) drawPlace(context, projection, place, color);
  for (const place of places.filter(({ isSelected }) => isSelected)) drawPlace(context, projection, place, color);
}

// Lines are lists of longitudes and latitudes in turns.
function drawLines(context, projection, lines, color, width, dashes) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dashes);
  context.beginPath();
  for (const line of lines) {
    let [lastX, isDrawing] = [0, false];
    for (let index = 0; index < line.length; index += 2) {
      const [x, y] = projection.point({ longitude: line[index], latitude: line[index + 1] });
      // A line that wraps around the world is cut at its edge.
      if (isDrawing && Math.abs(x - lastX) < projection.scale * Math.PI) context.lineTo(x, y);
      else context.moveTo(x, y);
      [lastX, isDrawing] = [x, true];
    }
  }
  context.stroke();
  context.setLineDash([]);
}

/** Draws the largest towns that leave room for each other. */
function drawTowns(context, projection, towns, color, places) {
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = color;
  context.textBaseline = "middle";
  const taken = places.map((place) => {
    const [x, y] = projection.point(place);
    return [x - 14, y - 14, x + 14, y + 14];
  });
  let count = 0;
  for (const { name, latitude, longitude } of towns) {
    const [x, y] = projection.point({ latitude, longitude });
    if (x < 0 || y < 8 || x > projection.width || y > projection.height - 8) continue;
    const box = [x - 4, y - 10, x + 10 + context.measureText(name).width, y + 10];
    if (box[2] > projection.width || taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    context.beginPath();
    context.arc(x, y, 2, 0, 7);
    context.fill();
    context.fillText(name, x + 6, y);
    count += 1;
    if (count === 24) return;
  }
}

const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function drawPlace(context, projection, place, color) {
  const [x, y] = projection.point(place);
  context.beginPath();
  context.arc(x, y, place.isSelected ? 8 : 6, 0, 7);
  context.fillStyle = color(place.isSelected ? "--accent" : "--map-place");
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = color("--surface");
  context.stroke();
}
