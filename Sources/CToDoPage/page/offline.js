// The last state of the list, stored in the browser for times without a connection.

const database = "todo";
const table = "copies";
const maximumItems = 20_000;

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run(mode, work) {
  const connection = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = connection.transaction(table, mode);
      const request = work(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    connection.close();
  }
}

/** Stores a copy of the list shown. Without room, or in a private window, there is none. */
export async function storeCopy({ content, lists, listID }) {
  if (!content.isComplete || content.items.size > maximumItems) return;
  const { items, revision, incarnation } = content;
  const copy = { items: [...items.values()], revision, incarnation, lists, listID, time: Date.now() };
  await run("readwrite", (copies) => copies.put(copy, "last")).catch(() => {});
}

export const storedCopy = () => run("readonly", (copies) => copies.get("last")).catch(() => null);

/** Removes the copy, when the user signs out. */
export async function discardCopy() {
  await run("readwrite", (copies) => copies.clear()).catch(() => {});
}
