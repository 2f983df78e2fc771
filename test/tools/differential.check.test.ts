/** The comparison of two services by tools/differential: what it takes for equal, and what it finds. */
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { findDifference, Names } from "../../tools/differential/compare.ts";
import { DifferenceError, PairedConnection } from "../../tools/differential/paired-connection.ts";
import { Connection } from "../../tools/fuzz/service/send.ts";
import { portOf } from "../../tools/lib/listening.ts";
import { startApp, type TestApp } from "../support/app.ts";

const HEADERS = { "content-type": "application/json; charset=utf-8" };

function response(value: unknown, status = 200, headers: Record<string, string> = {}) {
  const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  return { status, headers: { ...HEADERS, ...headers }, length: body.length, body };
}

const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

describe("two responses", () => {
  it.each([
    ["ids that belong together", { id: a, path: `/api/books/${a}` }, { id: b, path: `/api/books/${b}` }],
    ["times near each other", { at: "2026-11-23T19:00:00.000Z" }, { at: "2026-11-23T19:00:01.500Z" }],
    ["versions of records", { version: "CYxoprhaOleGyiJM3edhdD" }, { version: "WOHj2bA9TZmFcP9DC3nN0v" }],
    ["the same", { list: [1, null, "x"] }, { list: [1, null, "x"] }],
  ])("are equal with %s", async (_, left, right) => {
    expect(await findDifference(response(left), response(right), new Names())).toBeUndefined();
  });

  it.each([
    ["another status", response({}), response({}, 201), "status: 200 and 201"],
    ["another header", response({}), response({}, 200, { vary: "Accept" }), /^header vary/],
    ["a tag on one side", response({}, 200, { etag: '"a"' }), response({}), /^header etag/],
    ["another number", response({ n: 1 }), response({ n: 1.5 }), "body.n: 1 and 1.5"],
    [
      "a version on one side",
      response({ version: "CYxoprhaOleGyiJM3edhdD" }),
      response({ version: "1.0.0" }),
      /^body\.version/,
    ],
    ["null for a missing field", response({ n: null }), response({}), /^body: the fields/],
    ["another order of fields", response({ a: 1, b: 2 }), response({ b: 2, a: 1 }), /^body: the fields/],
    ["another order of items", response(["a", "b"]), response(["b", "a"]), 'body.0: "a" and "b"'],
    ["one item more", response([1]), response([1, 2]), "body: 1 and 2 items"],
    ["one id for two", response([a, c]), response([b, b]), /^body\.1/],
    ["two ids for one", response([a, a]), response([b, d]), /^body\.1/],
    ["another letter beside an id", response([`x${a}`]), response([`y${b}`]), /^body\.0/],
    [
      "times far from each other",
      response({ at: "2026-11-23T19:00:00.000Z" }),
      response({ at: "2026-11-24T19:00:00.000Z" }),
      /^body\.at/,
    ],
    [
      "other text in a line",
      response("a\nb", 200, { "content-type": "text/csv" }),
      response("a\nc", 200, { "content-type": "text/csv" }),
      'line.1: "b" and "c"',
    ],
    [
      "other bytes",
      response("a", 200, { "content-type": "image/png" }),
      response("b", 200, { "content-type": "image/png" }),
      /^body/,
    ],
  ])("differ with %s", async (_, left, right, found) => {
    expect(await findDifference(left, right, new Names())).toMatch(found);
  });
});

describe("two services", () => {
  const connectionTo = ({ server }: TestApp): Connection => {
    const connection = new Connection();
    connection.port = portOf(server);
    onTestFinished(() => connection.close());
    return connection;
  };
  const get = (target: string) => ({
    method: "GET",
    target,
    headers: [],
    body: undefined,
    claimedLength: undefined,
  });

  it("differ after a change to one of them, while ids are translated", async () => {
    const [left, right] = [await startApp(), await startApp()];
    const paired = new PairedConnection(connectionTo(left), connectionTo(right));
    for (const { make } of [left, right]) {
      await make.published("The Well", "es");
    }
    const { body } = await paired.send(get("/api/books"));
    const { books } = JSON.parse(body.toString());
    await paired.send(get(`/api/books/${books[0].id}`));
    await paired.race(get("/api/languages"), 4);
    await left.make.published("A Hill", "es");
    const differing = paired.send(get("/api/books"));
    await expect(differing).rejects.toThrow(DifferenceError);
    await expect(differing).rejects.toThrow(/items\n\ncurl .*\/api\/books'\n/s);
  });
});
