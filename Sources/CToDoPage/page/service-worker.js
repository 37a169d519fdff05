// Keeps the files of the page, so that it opens at once, and without a connection. After each opening, the files are requested
// again: a new version of the server shows its page at the next opening. It stores no calls: the page stores the list itself, and
// deletes it when the user signs out.

const name = "todo-page";
const maps = ["/page/world.json", "/page/towns.json"];
/** The time after an opening in which the page has the connections for itself. */
const pause = 3000;

self.addEventListener("install", (event) => event.waitUntil(refresh().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isFile = pathname === "/" || /^\/([\w-]+\.(js|css|svg|webmanifest)|page\/[\w-]+\.json)$/.test(pathname);
  if (request.method !== "GET" || origin !== location.origin || !isFile) return;
  event.respondWith(caches.match(pathname).then((stored) => stored ?? fetch(request)));
  if (pathname === "/") event.waitUntil(new Promise((resolve) => setTimeout(resolve, pause)).then(refresh).catch(() => {}));
});

/** Stores all files, once all have arrived: files of two versions don't fit together. */
async function refresh() {
  const index = await load("/");
  const names = [...(await index.clone().text()).matchAll(/(?:href|src)="(\/[\w-]+\.\w+)"/g)].map(([, path]) => path);
  const files = await Promise.all([...new Set(names)].map(async (path) => [path, await load(path)]));
  const cache = await caches.open(name);
  await Promise.all([["/", index], ...files].map(([path, response]) => cache.put(path, response)));
  await Promise.allSettled(maps.map(async (path) => cache.put(path, await load(path))));
  const current = new Set(["/", ...names, ...maps]);
  for (const request of await cache.keys()) if (!current.has(new URL(request.url).pathname)) await cache.delete(request);
}

async function load(path) {
  const response = await fetch(path, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}
