// Keeps the files of the page for times without a connection. The network comes first, so a new version shows at once.
// It stores no calls: the page stores the list itself, and deletes it when the user signs out.

const name = "todo-page";
const files = ["/", "/page/world.json"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting())
      .catch(() => {}),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isFile =
    url.pathname === "/" || url.pathname === "/page/world.json" || /^\/[\w-]+\.(js|css|svg|webmanifest)$/.test(url.pathname);
  if (request.method === "GET" && url.origin === location.origin && isFile) event.respondWith(serve(request, url.pathname));
});

async function serve(request, path) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(path, response.clone());
    return response;
  } catch (error) {
    const stored = await cache.match(path);
    if (stored) return stored;
    throw error;
  }
}
