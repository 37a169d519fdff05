// Elements as values, and the document that follows them.
//
// A view returns descriptions of elements. `patch` changes the document to match, and keeps elements with the same key, their
// focus and their scroll positions. Text only ever becomes text nodes and attribute values, so data cannot become markup.

const drawn = Symbol("description");
const SVG = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "circle", "line", "g"]);

/** Describes an element. Children are descriptions, text, or lists of both; null and false are skipped. */
export function h(tag, properties, ...children) {
  const props = properties ?? {};
  return { tag, key: props.key, props, children: children.flat(Infinity).filter((child) => child != null && child !== false) };
}

/** Makes the children of an element those described. */
export function patch(parent, descriptions) {
  const byKey = new Map();
  const rest = [];
  for (const node of parent.childNodes) {
    const key = node[drawn]?.key;
    if (key === undefined) rest.push(node);
    else byKey.set(key, node);
  }
  const nodes = descriptions.map((description) => reuse(description, byKey, rest) ?? create(description));
  const kept = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  let place = parent.firstChild;
  descriptions.forEach((description, index) => {
    const node = nodes[index];
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, description);
  });
}

function reuse(description, byKey, rest) {
  if (typeof description !== "object") {
    const index = rest.findIndex((node) => node.nodeType === Node.TEXT_NODE);
    return index < 0 ? null : rest.splice(index, 1)[0];
  }
  if (description.key !== undefined) {
    const node = byKey.get(description.key);
    byKey.delete(description.key);
    return node?.[drawn].tag === description.tag ? node : null;
  }
  const index = rest.findIndex((node) => node[drawn]?.tag === description.tag);
  return index < 0 ? null : rest.splice(index, 1)[0];
}

function create(description) {
  if (typeof description !== "object") return document.createTextNode(description);
  const { tag } = description;
  return svgTags.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
}

function update(node, description) {
  if (typeof description !== "object") {
    if (node.data !== String(description)) node.data = description;
    return;
  }
  const before = node[drawn]?.props ?? {};
  const after = description.props;
  const isNew = !node[drawn];
  node[drawn] = description;
  if (before !== after) {
    for (const name in before) if (!(name in after)) set(node, name, undefined, before[name]);
    for (const name in after) set(node, name, after[name], before[name]);
  }
  patch(node, description.children);
  // The options of a select exist only now.
  if (description.tag === "select" && "value" in after && node.value !== after.value) node.value = after.value;
  if (isNew) after.ready?.(node);
  after.draw?.(node);
}

function set(node, name, value, before) {
  switch (name) {
    case "key":
    case "ready":
    case "draw":
      return;
    case "style":
      for (const rule in before ?? {}) if (!(rule in (value ?? {}))) node.style.removeProperty(rule);
      for (const rule in value ?? {}) if (value[rule] !== before?.[rule]) node.style.setProperty(rule, value[rule]);
      return;
    case "value":
      // What the user types is the newest: a property of the document, not of its description.
      if (node.localName === "option") break;
      if (value !== undefined && node.value !== value) node.value = value;
      return;
    case "checked":
    case "disabled":
    case "open":
    case "inert":
      node[name] = Boolean(value);
      return;
  }
  if (value === before) return;
  if (name.startsWith("on")) node[name] = value ?? null;
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
