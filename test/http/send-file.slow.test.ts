import { randomBytes } from "node:crypto";
import { open, rename, truncate, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { parse } from "content-disposition";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { formatAttachment } from "../../src/http/responses/attachment.ts";
import {
  type FileToSend,
  giveBackSendBuffer,
  giveUpSendBuffer,
  SEND_BUFFER_BYTES,
  sendFile,
  takeSendBuffer,
} from "../../src/http/responses/send-file.ts";
import { listen, portOf } from "../../tools/lib/listening.ts";
import { eventually } from "../support/eventually.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const MODIFIED = "Thu, 29 Feb 2024 12:00:00 GMT";
/** Several buffers and a rest. */
const CONTENT = randomBytes(3_000_017);

let folder: string;
let server: http.Server;
let agent: http.Agent;
/** What the file is said to be, over what it is. */
let overrides: Partial<FileToSend>;
/** One for each call of `sendFile`: what it resolved to or threw. */
let outcomes: unknown[];
let beforeSending: () => Promise<void>;

const path = (name = "book") => join(folder, name);

const port = () => portOf(server);

/** The client has its response a moment before `sendFile` resolves. */
async function outcomesOf(count: number): Promise<unknown[]> {
  await eventually(() => expect(outcomes).toHaveLength(count));
  return outcomes;
}

/** The path of a request names the file in the folder. */
async function serve(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
  const handle = await open(path(req.url?.slice(1)));
  const { size } = await handle.stat();
  await beforeSending();
  const file = {
    sizeBytes: size,
    etag: '"v1"',
    modifiedAt: Date.parse(MODIFIED) + 5,
    contentType: "text/x-book",
  };
  try {
    outcomes.push(await sendFile(req, res, { fileName: "Book.txt", ...file, ...overrides, handle }));
  } catch (error) {
    outcomes.push(error);
    if (res.headersSent) return;
    const known =
      error instanceof AppError ? error : new AppError(500, "server_error", "odd", { cause: error });
    res.writeHead(known.status, known.headers).end(known.code);
  }
}

interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

function get(headers: http.OutgoingHttpHeaders = {}, method = "GET", name = "book"): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: port(), path: `/${name}`, method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    request.on("error", reject);
    request.end();
  });
}

beforeEach(async () => {
  folder = createTempFolder();
  await writeFile(path(), CONTENT);
  overrides = {};
  outcomes = [];
  beforeSending = async () => {};
  agent = new http.Agent({ keepAlive: true });
  server = http.createServer((req, res) => void serve(req, res));
  await listen(server);
});

afterEach(async () => {
  agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("a whole file", () => {
  it("is sent with all its bytes and headers", async () => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(body.equals(CONTENT)).toBe(true);
    expect(headers).toMatchObject({
      "content-length": "3000017",
      "content-type": "text/x-book",
      "content-disposition": "attachment; filename=Book.txt",
      "accept-ranges": "bytes",
      etag: '"v1"',
      "last-modified": MODIFIED,
    });
    expect(headers["content-range"]).toBeUndefined();
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(await outcomesOf(1)).toEqual([{ bytesSent: 3_000_017, completed: true }]);
  });

  it("can be empty", async () => {
    await writeFile(path("empty"), "");
    const { status, headers, body } = await get({}, "GET", "empty");
    expect([status, headers["content-length"], body.length]).toEqual([200, "0", 0]);
  });

  it("has no Last-Modified if its time is unknown", async () => {
    overrides = { modifiedAt: undefined };
    const { status, headers } = await get({ "if-modified-since": MODIFIED, "if-unmodified-since": MODIFIED });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("last-modified");
  });

  it("isn't mixed with twenty others that are sent concurrently from shared buffers", async () => {
    const others = Array.from({ length: 20 }, (_, index) => Buffer.alloc(1_500_000 + index, index + 1));
    await Promise.all(others.map((content, index) => writeFile(path(`other-${index}`), content)));
    const responses = await Promise.all(others.map((_, index) => get({}, "GET", `other-${index}`)));
    responses.forEach(({ body }, index) => {
      expect(body.equals(others[index] ?? Buffer.alloc(0))).toBe(true);
    });
  });

  it("is the version that was opened, also if the file is replaced during the response", async () => {
    await writeFile(path("new"), "new");
    beforeSending = () => rename(path("new"), path());
    expect((await get()).body.equals(CONTENT)).toBe(true);
    beforeSending = async () => {};
    expect((await get()).body.toString()).toBe("new");
  });
});

describe("a part of a file", () => {
  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=393210-393225", 393_210, 393_225],
    ["bytes=1-", 1, 3_000_016],
    ["bytes=-500000", 2_500_017, 3_000_016],
    ["bytes=2999999-99999999", 2_999_999, 3_000_016],
  ])("%s is bytes %i to %i", async (range, start, end) => {
    const { status, headers, body } = await get({ range });
    expect(status).toBe(206);
    expect(headers["content-range"]).toBe(`bytes ${start}-${end}/3000017`);
    expect(headers["content-length"]).toBe(String(end - start + 1));
    expect(body.equals(CONTENT.subarray(start, end + 1))).toBe(true);
    expect(await outcomesOf(1)).toEqual([{ bytesSent: end - start + 1, completed: true }]);
  });

  it("returns the whole file for a range of another version", async () => {
    const { status, body } = await get({ range: "bytes=10-", "if-range": '"v0"' });
    expect([status, body.length]).toEqual([200, CONTENT.length]);
  });

  it("ends at the announced size if the file has grown", async () => {
    overrides = { sizeBytes: 1000 };
    expect((await get()).body.equals(CONTENT.subarray(0, 1000))).toBe(true);
    expect((await get({ range: "bytes=-10" })).body.equals(CONTENT.subarray(990, 1000))).toBe(true);
  });
});

it.each([
  ["GET", {}, 1],
  ["GET", { range: "bytes=0-9" }, 1],
  ["GET", { range: "bytes=0-0,5-6" }, 1],
  ["GET", { range: "bytes=1-" }, 0],
  ["GET", { range: "bytes=3000017-" }, 0],
  ["GET", { "if-none-match": '"v1"' }, 0],
  ["GET", { "if-match": '"v0"' }, 0],
  ["HEAD", {}, 0],
])("beforeDelivery for %s with %j is called %i times", async (method, headers, times) => {
  let asked = 0;
  overrides = {
    beforeDelivery: async () => {
      asked++;
    },
  };
  await get(headers, method);
  expect(asked).toBe(times);
});

describe("a file that is shorter than announced", () => {
  it("returns 503 if its first bytes are missing", async () => {
    await truncate(path(), 0);
    overrides = { sizeBytes: 3_000_017 };
    const { status, headers, body } = await get();
    expect([status, body.toString()]).toEqual([503, "file_unreadable"]);
    expect(headers).not.toHaveProperty("content-disposition");
    expect(outcomes[0]).toMatchObject({ cause: { message: expect.stringContaining("ends at byte 0") } });
  });

  it("closes the connection if it ends too early", async () => {
    overrides = { sizeBytes: 3_000_018 };
    await expect(get()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await outcomesOf(1))[0]).toMatchObject({
      message: expect.stringContaining("ends at byte 3000017"),
    });
  });
});

/** Asks `times` for the book over one connection, takes the first bytes of the response, and leaves. */
function askAndLeave(times = 1): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port(), "127.0.0.1");
    socket.write("GET /book HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(times));
    socket.once("data", () => socket.destroy());
    socket.once("close", () => resolve());
  });
}

describe("a client that disconnects", () => {
  /** More than the buffers of both sockets hold, so that the response can't be through before the client leaves. */
  beforeEach(() => truncate(path(), 200_000_000));

  it.runIf(canListDescriptors)("fifty times leaves no open descriptor and no running transfer", async () => {
    await Promise.all(Array.from({ length: 50 }, () => askAndLeave()));
    for (const outcome of await outcomesOf(50)) expect(outcome).toMatchObject({ completed: false });
    expect(await openDescriptors(folder)).toEqual([]);
  });

  it.runIf(canListDescriptors)("cancels the responses to its pipelined requests", async () => {
    await askAndLeave(3);
    for (const outcome of await outcomesOf(3)) expect(outcome).toMatchObject({ completed: false });
    expect(await openDescriptors(folder)).toEqual([]);
  });

  it.each([1000, 200_000_000])("before the first of %i bytes is detected", async (size) => {
    await truncate(path(), size);
    const closed = new Promise<void>((resolve) => {
      server.once("connection", (socket) => socket.once("close", () => resolve()));
    });
    beforeSending = () => closed;
    const socket = net.connect(port(), "127.0.0.1");
    server.once("request", () => socket.destroy());
    socket.write("GET /book HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await outcomesOf(1)).toEqual([{ bytesSent: 0, completed: false }]);
    if (canListDescriptors) expect(await openDescriptors(folder)).toEqual([]);
  });

  it("doesn't change the bytes of the next response", async () => {
    await writeFile(path("next"), CONTENT);
    const [next] = await Promise.all([
      get({}, "GET", "next"),
      ...Array.from({ length: 20 }, () => askAndLeave()),
    ]);
    expect(next.body.equals(CONTENT)).toBe(true);
  });
});

it("thousands of readers who read nothing use at most 230 MiB, and large buffers are available after them", () => {
  const buffers = Array.from({ length: 4000 }, takeSendBuffer);
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
  for (const [index, buffer] of buffers.entries())
    (index % 2 === 0 ? giveBackSendBuffer : giveUpSendBuffer)(buffer);
  expect(bytes).toBeLessThan(230 * 1024 * 1024);
  const next = takeSendBuffer();
  giveBackSendBuffer(next);
  expect(next).toHaveLength(SEND_BUFFER_BYTES);
});

describe("the name of a download", () => {
  it.each([
    ["Book.epub", "attachment; filename=Book.epub"],
    ['A "b" c.epub', 'attachment; filename="A \\"b\\" c.epub"'],
    ["Café.epub", "attachment; filename=Cafe.epub; filename*=UTF-8''Caf%C3%A9.epub"],
    ["བོད་.epub", "attachment; filename=_.epub; filename*=UTF-8''%E0%BD%96%E0%BD%BC%E0%BD%91%E0%BC%8B.epub"],
    ["a\r\nX: y", "attachment; filename=\"a_X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y"],
    ["\ud800.pdf", "attachment; filename=_.pdf; filename*=UTF-8''%EF%BF%BD.pdf"],
    ["../etc/passwd", "attachment; filename=.._etc_passwd"],
  ])("%j is sent as %s", (name, header) => {
    expect(formatAttachment(name)).toBe(header);
  });

  it("is a valid header for any name, and is parsed as that name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (name) => {
        const header = formatAttachment(name);
        expect(() => http.validateHeaderValue("Content-Disposition", header)).not.toThrow();
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(parse(header).parameters.filename).toBe(name.toWellFormed().replace(/[/\\]/g, "_"));
      }),
    );
  });
});
