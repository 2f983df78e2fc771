import { createServer, get, type IncomingMessage, type Server } from "node:http";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendCsv, writeCsv } from "../../src/http/responses/attachment.ts";
import type { CsvDocument, CsvPage } from "../../src/services/shared/results.ts";
import { listen, portOf } from "../../tools/lib/listening.ts";
import { anyText } from "../support/any-text.ts";
import { blockEventLoop } from "../support/block-event-loop.ts";
import { countTurns } from "../support/count-turns.ts";
import { readCsv } from "../support/read-csv.ts";

async function* pagesOf(...pages: CsvPage[]): AsyncGenerator<CsvPage> {
  yield* pages;
}

const table = (pages: AsyncIterable<CsvPage>, more: Partial<CsvDocument> = {}): CsvDocument => ({
  fileName: "table.csv",
  columns: ["id", "name"],
  pages,
  bom: true,
  raw: false,
  delimiter: "comma",
  ...more,
});

/** A server that answers everything with the table; what `sendCsv` rejects with cuts the answer, as in the service. */
async function serve(document: () => CsvDocument) {
  const outcomes: unknown[] = [];
  const server = createServer((req, res) => {
    sendCsv(req, res, document()).then(
      () => outcomes.push("done"),
      (error: unknown) => {
        outcomes.push(error);
        if (res.headersSent) res.destroy();
        else res.writeHead(500).end();
      },
    );
  });
  await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, outcomes };
}

interface Received {
  response: IncomingMessage;
  text: string;
  wasCut: boolean;
}

function receive(server: Server, method = "GET"): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port: portOf(server), method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => {});
      response.on("close", () => {
        resolve({ response, text: Buffer.concat(chunks).toString(), wasCut: !response.complete });
      });
    });
    request.on("error", reject);
  });
}

const textOf = async (document: CsvDocument): Promise<string> =>
  (await receive((await serve(() => document)).server)).text;

describe("a table as CSV", () => {
  it("has the field names, CRLF and a byte order mark, and is saved under its name", async () => {
    const { server } = await serve(() =>
      table(pagesOf([[1, "Sara"]], [[2, null]]), { fileName: "читатели.csv" }),
    );
    const { response, text } = await receive(server);
    expect(text).toBe("\u{FEFF}id,name\r\n1,Sara\r\n2,\r\n");
    expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers["content-disposition"]).toMatch(
      /^attachment; filename=_\.csv; filename\*=UTF-8''%D1/,
    );
  });

  it("contains only the header if there are no rows, and no mark if none is requested", async () => {
    expect(await textOf(table(pagesOf()))).toBe("\u{FEFF}id,name\r\n");
    expect(await textOf(table(pagesOf([]), { bom: false }))).toBe("id,name\r\n");
  });

  it("contains any text, in separate cells", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }), async (rows) => {
        const text = await textOf(table(pagesOf(rows), { bom: false, raw: true }));
        expect(readCsv(text)).toEqual([
          ["id", "name"],
          ...rows.map((row) => row.map((cell) => cell.toWellFormed())),
        ]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("sending page by page", () => {
  /** Pages without an end, and how many have been asked for. */
  function endless() {
    const seen = { pages: 0, isOver: false };
    async function* pages(): AsyncGenerator<CsvPage> {
      try {
        for (; ; seen.pages += 1) yield Array.from({ length: 500 }, (_, row) => [row, "x".repeat(200)]);
      } finally {
        seen.isOver = true;
      }
    }
    return { seen, pages: pages() };
  }

  it("has no body for HEAD, and reads nothing for it", async () => {
    const { seen, pages } = endless();
    const { server } = await serve(() => table(pages));
    const { response, text } = await receive(server, "HEAD");
    expect([response.statusCode, text, seen.pages]).toEqual([200, "", 0]);
    expect(response.headers["content-disposition"]).toContain("table.csv");
  });

  it("closes the connection if a later page can't be read, so that a partial table never looks complete", async () => {
    async function* pages(): AsyncGenerator<CsvPage> {
      yield [[1, "a"]];
      throw new Error("The disk is gone");
    }
    const { server, outcomes } = await serve(() => table(pages()));
    const { text, wasCut } = await receive(server);
    expect([text, wasCut]).toEqual(["\u{FEFF}id,name\r\n1,a\r\n", true]);
    expect(outcomes).toEqual([new Error("The disk is gone")]);
  });

  it("has sent nothing if the first page can't be read", async () => {
    const { server } = await serve(() =>
      table({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("The disk is gone")) }),
      }),
    );
    const { response, text } = await receive(server);
    expect([response.statusCode, text]).toEqual([500, ""]);
    expect(response.headers["content-disposition"]).toBeUndefined();
  });

  it("yields to the event loop within a long page", async () => {
    const page = Array.from({ length: 20_000 }, (_, row) => [row, "some text, and more"]);
    const turnsOfOthers = await countTurns(async () => {
      // Each piece takes longer than a turn, however fast the machine writes it.
      for await (const _ of writeCsv(table(pagesOf(page)))) blockEventLoop(15);
    });
    expect(turnsOfOthers).toBeGreaterThan(1);
  });
});
