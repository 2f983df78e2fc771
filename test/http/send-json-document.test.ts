/** Long JSON documents, which are written page by page. */
import { createServer } from "node:http";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { sendJsonDocument } from "../../src/http/responses/attachment.ts";
import type { JsonDocument } from "../../src/services/shared/results.ts";
import { listen } from "../../tools/lib/listening.ts";

async function* pagesOf(pages: readonly (readonly unknown[])[]) {
  yield* pages;
}

/** What a client gets of the document. */
async function received(document: JsonDocument<unknown>): Promise<Response> {
  const server = createServer((req, res) => void sendJsonDocument(req, res, document));
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" } });
}

it("has the short fields first, then the lists in their order, and is saved under its name", async () => {
  const response = await received({
    fileName: "person.json",
    head: { contact: { name: "Sara" }, left: undefined },
    lists: { consents: pagesOf([]), events: pagesOf([[{ id: 1 }], [], [{ id: 2 }, { id: 3 }]]) },
  });
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe("attachment; filename=person.json");
  expect(await response.text()).toBe(
    '{"contact":{"name":"Sara"},"consents":[],"events":[{"id":1},{"id":2},{"id":3}]}',
  );
});

it("equals JSON.stringify, regardless of the division of lists into pages", async () => {
  const pages = fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), pages, pages, async (given, one, two) => {
      const head = { given };
      const lists = { one: pagesOf(one), 'a "second" one': pagesOf(two) };
      const text = await (await received({ fileName: "a.json", head, lists })).text();
      expect(text).toBe(JSON.stringify({ given, one: one.flat(), 'a "second" one': two.flat() }));
    }),
    { numRuns: 30 },
  );
});

it("is sent page by page: the first one arrives before the next is read", async () => {
  const isRead = Promise.withResolvers<void>();
  async function* pages() {
    yield [1];
    await isRead.promise;
    yield [2];
  }
  const { body } = await received({ fileName: "a.json", head: { a: 1 }, lists: { items: pages() } });
  let text = "";
  for await (const bytes of body ?? []) {
    text += Buffer.from(bytes).toString();
    if (text.includes("[1")) isRead.resolve();
  }
  expect(text).toBe('{"a":1,"items":[1,2]}');
});
