/** Forms byte by byte. Each response is 201 or a refusal, and only a 201 leaves something on the disk. */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portOf } from "../../tools/lib/listening.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import {
  encodeMultipart,
  encodeUnfinished,
  field,
  filePart,
  MULTIPART,
  type Part,
} from "../support/multipart.ts";
import { createTxt, expectStored, removeReleased } from "../support/stored-files.ts";

const [, BOUNDARY = ""] = MULTIPART["Content-Type"].split("boundary=");
const LANGUAGE = field("languageCode", "es");

async function start() {
  const app = await startApp({ MAX_UPLOAD_BYTES: "200000", SESSION_TTL_SECONDS: "2592000" });
  await app.make.language("es");
  const book = await app.make.book("The Well");
  const { client, cookie } = await createAccount(app);
  const path = `/api/admin/books/${book.id}/files`;
  const send = (body: Buffer, type = MULTIPART["Content-Type"]) =>
    client.call("post", path, { headers: { "Content-Type": type }, body });
  const stored = (...contents: Buffer[]) => eventually(() => expectStored(app.dataDir, ...contents));
  /** Sends the request in these pieces, each in a packet of its own. @returns the status */
  const inPieces = async (pieces: readonly Buffer[], length: number): Promise<number> => {
    const socket = connect(portOf(app.server), "127.0.0.1").on("error", () => {});
    socket.setNoDelay(true);
    const response = text(socket);
    const lines = [
      `POST ${path} HTTP/1.1`,
      "Host: localhost",
      "Connection: close",
      `Cookie: ${cookie}`,
      `Content-Length: ${length}`,
      `Content-Type: ${MULTIPART["Content-Type"]}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    for (const piece of pieces) if (!socket.write(piece)) await once(socket, "drain").catch(() => {});
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await response)?.[1]);
  };
  /** Nothing is wrong on our side, and the next form is taken as ever. */
  const isSound = async () => {
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    const response = await send(encodeMultipart(LANGUAGE, filePart("sound", "sound.txt")));
    expect(response.status).toBe(201);
  };
  return { ...app, client, send, stored, inPieces, isSound };
}

const heads = (count: number): Part => ({
  disposition: 'name="file"; filename="a.txt"',
  headers: Array.from({ length: count }, (_, index) => `X-${index}: x`),
  content: "text",
});

describe("boundaries", () => {
  it("are found regardless of how the packets are cut", async () => {
    const { inPieces, stored, isSound } = await start();
    const content = `\r\n--${BOUNDARY.slice(0, -1)}\r\n-\r\n--\r\n--${BOUNDARY.slice(1)}`;
    const body = encodeMultipart(LANGUAGE, filePart(content));
    const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1));
    expect(await inPieces(bytes, body.length)).toBe(201);
    await stored(createTxt(content));
    await isSound();
  });

  it("are distinguished from content that only resembles them", async () => {
    const { send, stored } = await start();
    const contents = [
      `--${BOUNDARY}`,
      `x--${BOUNDARY}--`,
      `\n--${BOUNDARY}\n`,
      `\r\n--${BOUNDARY.toUpperCase()}--\r\n`,
    ];
    for (const content of contents) {
      const response = await send(encodeMultipart(LANGUAGE, filePart(`x${content}`)));
      expect([response.status, content]).toEqual([201, content]);
    }
    await stored(...contents.map((content) => createTxt(`x${content}`)));
  });

  it("that cut the headers of a part make a malformed form", async () => {
    const { send, stored, isSound } = await start();
    const interrupted = `--${BOUNDARY}\r\nContent-Dispositio:xt\r\n`;
    const body = encodeMultipart(filePart(`--${BOUNDARY.slice(1)}--`)).subarray(0, -BOUNDARY.length - 8);
    const response = await send(Buffer.concat([Buffer.from(interrupted), body]));
    expect([response.status, response.body.code]).toEqual([400, "malformed_multipart"]);
    await stored();
    await isSound();
  });

  it("can be quoted, and must be those of the header", async () => {
    const { send, stored } = await start();
    const body = encodeMultipart(LANGUAGE, filePart("text"));
    expect((await send(body, `multipart/form-data; boundary="${BOUNDARY}"`)).status).toBe(201);
    for (const other of ["x", `${BOUNDARY}x`, BOUNDARY.slice(1), `"${BOUNDARY}`, `${BOUNDARY}\\`, "\u00e9"])
      expect((await send(body, `multipart/form-data; boundary=${other}`)).status, other).toBe(400);
    await stored(createTxt("text"));
  });
});

describe("a disproportionate form", () => {
  it.each([
    ["100,000 empty fields", encodeMultipart(...Array.from({ length: 100_000 }, () => field("", "")))],
    ["100,000 parts without anything", Buffer.from(`--${BOUNDARY}\r\n\r\n\r\n`.repeat(100_000))],
    ["100,000 boundaries", Buffer.from(`--${BOUNDARY}\r\n`.repeat(100_000))],
    ["a hundred files", encodeMultipart(...Array.from({ length: 100 }, () => filePart("text")))],
    ["10,000 headers of a part", encodeMultipart(LANGUAGE, heads(10_000))],
    [
      "a header of a megabyte",
      encodeUnfinished(LANGUAGE, { ...filePart("x"), headers: [`X: ${"x".repeat(1_000_000)}`] }),
    ],
    [
      "ten megabytes before the first part",
      Buffer.concat([Buffer.alloc(10_000_000, "x"), encodeMultipart()]),
    ],
    ["a megabyte of field", encodeMultipart(field("languageCode", "e".repeat(1_000_000)), filePart("x"))],
    ["deeply nested names", encodeMultipart(field(`languageCode${"[a]".repeat(30)}`, "es"), filePart("x"))],
  ])("is rejected: %s", async (_, body) => {
    const { send, stored, isSound } = await start();
    const { status } = await send(body);
    expect([400, 413]).toContain(status);
    await stored();
    await isSound();
  });

  it("isn't delayed by what follows it, none of which is stored", async () => {
    const { inPieces, stored, isSound } = await start();
    const body = Buffer.concat([encodeMultipart(LANGUAGE, filePart("text")), Buffer.alloc(5_000_000, "x")]);
    expect(await inPieces([body], body.length)).toBe(201);
    await stored(createTxt("text"));
    await isSound();
  });
});

it("names of fields are reported as unknown, regardless of their content, and in a bounded number", async () => {
  const { send, stored, isSound } = await start();
  const names = [
    "../../x",
    "a%0D%0Ab",
    "\u202e",
    "constructor",
    "toString",
    "hasOwnProperty",
    "__proto__",
    "a.b",
    "a[]",
  ];
  for (const name of [...names, "a\0b", "languageCode\0", "languageCode ", "LanguageCode"]) {
    const response = await send(encodeMultipart(LANGUAGE, field(name, "x"), filePart("text")));
    expect([response.status, name]).toEqual([400, name]);
  }
  await stored();
  await isSound();
});

describe("random bytes", () => {
  const whole = encodeMultipart(
    LANGUAGE,
    field("fileType", "txt"),
    filePart("The text of a book.", "book.txt"),
  );
  const pieces = [
    "\r\n",
    "\n",
    "\r",
    "--",
    `--${BOUNDARY}`,
    `--${BOUNDARY}--`,
    '"',
    "\\",
    "\0",
    ";",
    ":",
    " ",
    "filename*=",
    "é",
  ];
  const change = fc.record({
    at: fc.nat({ max: whole.length }),
    remove: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
    insert: fc.oneof(fc.constantFrom("", ...pieces), fc.string({ maxLength: 10 })),
  });

  it("in place of some of a form's are accepted or rejected, and leave only what was accepted", async () => {
    const { send, client, clock, container, dataDir, logged } = await start();
    let rejected = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const body = changes.reduce(
          (bytes, { at, remove, insert }) =>
            Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)]),
          whole,
        );
        const response = await send(body);
        expect([201, 400, 415]).toContain(response.status);
        if (response.status === 201) await client.delete(response.headers.location ?? "");
        else rejected += 1;
        await removeReleased({ clock, container });
        await eventually(() => expectStored(dataDir));
      }),
      { numRuns: 200 },
    );
    expect(rejected).toBeGreaterThan(50);
    expect(await container.sweep()).toMatchObject({ uploads: 0, setAside: 0 });
    expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
