// The methods of the server, by the Connect protocol with JSON. See Protos/HTTP.md.

/** A failed call: the code of Connect, the reason of todo.v1, and which field is wrong. */
export class CallError extends Error {
  constructor(code, message, details = []) {
    super(message || code);
    this.code = code;
    for (const { type, value } of details) {
      if (type === "google.rpc.ErrorInfo") Object.assign(this, errorInfo(bytes(value)));
    }
    this.metadata ??= {};
  }

  /** Whether the server may answer later. */
  get isConnection() {
    return this.code === "unavailable" && this.reason !== "GEOCODER_UNAVAILABLE";
  }
}

/** Calls a method without a stream. */
export async function call(method, request = {}, { signal } = {}) {
  const response = await send(method, "application/json", JSON.stringify(request), signal);
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw failure(response.status, body);
  return body;
}

/** Calls a method without side effects by GET, so that `index.html` can request it before this module is there. */
export async function get(method, request, signal) {
  const query = `connect=v1&encoding=json&message=${encodeURIComponent(JSON.stringify(request))}`;
  const response = await fetch(`/todo.v1.ToDoService/${method}?${query}`, { signal }).catch((error) => {
    throw lost(error, signal);
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw failure(response.status, body);
  return body;
}

/** Calls a method with a stream, and yields lists of the messages that arrived together. */
export async function* stream(method, request, signal) {
  const response = await send(method, "application/connect+json", envelope(JSON.stringify(request)), signal);
  if (!response.ok) throw failure(response.status, await response.json().catch(() => ({})));
  const reader = response.body.getReader();
  const frames = new Frames();
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw lost(error, signal);
    });
    if (done) throw new CallError("unavailable", "the stream broke off");
    const messages = [];
    for (const [flags, text] of frames.add(value)) {
      const message = JSON.parse(text);
      if (!(flags & 2)) messages.push(message);
      else if (message.error) {
        if (messages.length) yield messages;
        throw failure(0, message.error);
      } else {
        if (messages.length) yield messages;
        return;
      }
    }
    if (messages.length) yield messages;
  }
}

async function send(method, type, body, signal) {
  const service = method.includes("/") ? method : `todo.v1.ToDoService/${method}`;
  const headers = { "content-type": type, "connect-protocol-version": "1" };
  try {
    return await fetch(`/${service}`, { method: "POST", headers, body, signal, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    throw lost(error, signal);
  }
}

function lost(error, signal) {
  return signal?.aborted ? new CallError("canceled", "canceled") : new CallError("unavailable", error.message);
}

function failure(status, { code, message, details }) {
  return new CallError(code ?? (status === 401 ? "unauthenticated" : "unavailable"), message ?? `HTTP ${status}`, details);
}

/** Returns a message with the prefix of streams. */
export function envelope(text) {
  const data = new TextEncoder().encode(text);
  const framed = new Uint8Array(data.length + 5);
  new DataView(framed.buffer).setUint32(1, data.length);
  framed.set(data, 5);
  return framed;
}

/** Splits the bytes of a stream into messages, wherever the network cuts them. */
export class Frames {
  #pieces = [];
  #size = 0;
  #needed = 5;

  /** Returns the flags and texts of the messages that the bytes complete. */
  add(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const frames = [];
    if (this.#size < this.#needed) return frames;
    const data = this.#joined();
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    let position = 0;
    this.#needed = 5;
    while (data.length - position >= 5) {
      const end = position + 5 + view.getUint32(position + 1);
      if (data.length < end) {
        this.#needed = end - position;
        break;
      }
      frames.push([data[position], new TextDecoder().decode(data.subarray(position + 5, end))]);
      position = end;
    }
    this.#pieces = [data.subarray(position)];
    this.#size = data.length - position;
    return frames;
  }

  #joined() {
    if (this.#pieces.length === 1) return this.#pieces[0];
    const data = new Uint8Array(this.#size);
    let position = 0;
    for (const piece of this.#pieces) {
      data.set(piece, position);
      position += piece.length;
    }
    return data;
  }
}

function bytes(base64) {
  return Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/** Returns the reason and the metadata of a google.rpc.ErrorInfo. All of its fields are texts or entries of two texts. */
export function errorInfo(data) {
  const info = { metadata: {} };
  for (const [field, value] of fields(data)) {
    if (field === 1) info.reason = new TextDecoder().decode(value);
    if (field === 3) {
      const [key, text] = fields(value).map(([, part]) => new TextDecoder().decode(part));
      info.metadata[key] = text ?? "";
    }
  }
  return info;
}

/** Returns the fields of a message that has only those with a length, of less than 16 KiB. */
function fields(data) {
  const found = [];
  for (let at = 0; at < data.length; ) {
    const field = data[at++] >> 3;
    let length = data[at++];
    if (length & 128) length = (length & 127) | (data[at++] << 7);
    found.push([field, data.subarray(at, at + length)]);
    at += length;
  }
  return found;
}

/** A new ID: a UUID of version 7. */
export function newID(now = Date.now()) {
  const random = crypto.getRandomValues(new Uint8Array(10));
  random[0] = (random[0] & 0x0f) | 0x70;
  random[2] = (random[2] & 0x3f) | 0x80;
  const digits = now.toString(16).padStart(12, "0") + [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Signs in, out, or returns the session: `{user}`, `{}` where none is needed, null if there is none. */
export const session = {
  async get() {
    const response = await fetch("/session", { cache: "no-store" }).catch((error) => {
      throw lost(error);
    });
    if (response.status === 401) return null;
    // A server of an earlier version has no sessions.
    return response.ok ? response.json().catch(() => ({})) : {};
  },
  async open(credentials) {
    const headers = { "content-type": "application/json" };
    const response = await fetch("/session", { method: "POST", headers, body: JSON.stringify(credentials) }).catch((error) => {
      throw lost(error);
    });
    if (!response.ok) throw failure(response.status, await response.json().catch(() => ({})));
  },
  async close() {
    const response = await fetch("/session", { method: "DELETE" }).catch((error) => {
      throw lost(error);
    });
    if (!response.ok) throw failure(response.status, await response.json().catch(() => ({})));
  },
};
