/** The order in which answered writes reach the disk, as the system saw it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { SERVER, ServerProcess } from "../tools/lib/server-process.ts";
import { type Request, readSessionCookie, ServiceClient } from "../tools/lib/service-client.ts";
import { countCheckpoints } from "./support/checkpoint-order.ts";
import { findOrderErrors, type SentRequest } from "./support/durable-order.ts";
import { canTrace, createStraceArgs, parseTrace, STRACE } from "./support/system-calls.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const ROUNDS = 25;
const made = z.object({ id: z.string() });

it("power loss: acknowledged data is on the disk in 200 traced requests", async ({ skip }) => {
  if (!canTrace()) return skip("nothing can be traced here: strace is in Debian");
  const folder = createTempFolder();
  const output = join(folder, "trace");
  const command = { program: STRACE, args: createStraceArgs(output, [process.execPath, SERVER]) };
  // Without replaced bytes, a replacement removes the former ones in its request.
  const settings = { RATE_LIMIT_SUBMIT: "0", RATE_LIMIT_DOWNLOAD: "0", REPLACED_FILES_DAYS: "0" };
  const server = new ServerProcess({ DATA_DIR: join(folder, "data"), ...settings, ...ADMIN }, { command });
  onTestFinished(async () => void (await server.end("SIGKILL")));
  const { base } = await server.waitUntilReady();
  const sent = await sendAll(new ServiceClient(base));
  await server.end("SIGTERM");
  expect(sent).toHaveLength(8 * ROUNDS);
  const calls = parseTrace(readFileSync(output, "latin1"));
  expect(findOrderErrors(calls, sent)).toEqual([]);
  const checkpoints = countCheckpoints(calls);
  expect(checkpoints.errors).toEqual([]);
  expect(checkpoints.count).toBeGreaterThan(0);
});

/** Submits, uploads, replacements, covers and deletions, one after the other. */
async function sendAll(reader: ServiceClient): Promise<SentRequest[]> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
  const login = await reader.send("/api/auth/login", { method: "POST", json: { email, password } });
  const admin = reader.with({ cookie: readSessionCookie(login) });
  const language = { code: "es", name: "Spanish", nativeName: "Español" };
  await admin.send("/api/admin/languages", { method: "POST", json: language });
  const book = await admin.read("/api/admin/books", made, { method: "POST", json: { titleEn: "The Well" } });
  const sent: SentRequest[] = [];
  const send = async (
    client: ServiceClient,
    path: string,
    request: Request,
    bytes: Partial<SentRequest> = {},
  ) => {
    const response = await client.send(path, request);
    expect(response.status, `${path} ${response.bytes}`).toBeLessThan(300);
    const requestId = response.headers.get("x-request-id") ?? "";
    sent.push({ requestId, keepsBytes: false, removesBytes: false, ...bytes });
    return response;
  };
  const path = `/api/admin/books/${book.id}`;
  for (let round = 0; round < ROUNDS; round += 1) {
    const form = uploadForm(`Text ${round}`);
    const upload = { method: "POST", body: form } as const;
    const response = await send(admin, `${path}/files`, upload, { keepsBytes: true });
    const file = `${path}/files/${made.parse(JSON.parse(response.bytes.toString())).id}`;
    const submit = { method: "POST", json: submitted(`reader${round}@example.org`) } as const;
    await send(reader, "/api/download/submit", submit);
    const binary = { "content-type": "application/octet-stream" };
    const body = new TextEncoder().encode(`Other ${round}`);
    await send(admin, file, { method: "PUT", body, headers: binary }, BOTH);
    await send(reader, "/api/download/submit", submit);
    const put = { method: "PUT", headers: { "content-type": "image/png" } } as const;
    await send(
      admin,
      `${path}/covers/es`,
      { ...put, body: await cover(50 + 2 * round) },
      { keepsBytes: true },
    );
    await send(admin, `${path}/covers/es`, { ...put, body: await cover(51 + 2 * round) }, BOTH);
    // Their bytes go an hour later.
    await send(admin, `${path}/covers/es`, { method: "DELETE" });
    await send(admin, file, { method: "DELETE" });
  }
  return sent;
}

const BOTH = { keepsBytes: true, removesBytes: true };

const submitted = (email: string) => ({
  slug: "the-well",
  languageCode: "es",
  contact: { email, firstName: "Sara" },
});

function uploadForm(text: string): FormData {
  const form = new FormData();
  form.set("languageCode", "es");
  form.set("fileType", "txt");
  form.set("file", new Blob([text]), "text.txt");
  return form;
}

const cover = async (width: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({ create: { width, height: 60, channels: 3, background: "teal" } })
      .png()
      .toBuffer(),
  );

describe("a trace whose calls are reordered", () => {
  const steps = {
    bytes: '7 write(31</d/files/tmp/1>, "text", 4) = 4',
    sync: "8 fsync(31</d/files/tmp/1>) = 0",
    move: `8 rename("/d/files/tmp/1", "/d/files/ab/${"ab".repeat(32)}") = 0`,
    folder: "9 fsync(32</d/files/ab>) = 0",
    row: '7 pwrite64(24</d/database.sqlite-wal>, "row", 3, 9) = 3',
    walSync: "7 fsync(24</d/database.sqlite-wal>) = 0",
    remove: `8 unlink("/d/files/cd/${"cd".repeat(32)}") = 0`,
    response:
      '7 writev(30<socket:[1]>, [{iov_base="HTTP/1.1 200 OK\\r\\nX-Request-Id: the-request\\r\\n", ...',
  };
  type Step = keyof typeof steps;
  const errorsOf = (...order: Step[]) =>
    findOrderErrors(parseTrace(order.map((step) => steps[step]).join("\n")), [
      { requestId: "the-request", ...BOTH },
    ]);

  it("is accepted if it is correct, even if calls overlap", () => {
    expect(errorsOf("bytes", "sync", "move", "folder", "row", "walSync", "remove", "response")).toEqual([]);
    const trace = [steps.bytes, "8 fsync(31</d/files/tmp/1> <unfinished ...>", "8 <... fsync resumed>) = 0"];
    const rest = [steps.move, steps.folder, steps.row, steps.walSync, steps.remove, steps.response];
    const sent = [{ requestId: "the-request", ...BOTH }];
    expect(findOrderErrors(parseTrace([...trace, ...rest].join("\n")), sent)).toEqual([]);
    const early = [trace[0], trace[1], steps.move, trace[2], ...rest.slice(1)];
    expect(findOrderErrors(parseTrace(early.join("\n")), sent)).toContain(
      "the-request moved its bytes before they were synced",
    );
  });

  const order: Record<string, [Step[], string]> = {
    "no sync of the WAL": [
      ["bytes", "sync", "move", "folder", "row", "response"],
      "was acknowledged before the WAL had its row and was synced",
    ],
    "an early answer": [
      ["bytes", "sync", "move", "folder", "response", "row", "walSync"],
      "was acknowledged before the WAL had its row and was synced",
    ],
    "no sync of the bytes": [
      ["bytes", "move", "folder", "row", "walSync", "remove", "response"],
      "didn't sync its bytes after the last one",
    ],
    "a sync too early": [
      ["sync", "bytes", "move", "folder", "row", "walSync", "remove", "response"],
      "didn't sync its bytes after the last one",
    ],
    "a move before the sync": [
      ["bytes", "move", "sync", "folder", "row", "walSync", "remove", "response"],
      "moved its bytes before they were synced",
    ],
    "no sync of the folder": [
      ["bytes", "sync", "move", "row", "walSync", "remove", "response"],
      "didn't sync the folder after the move",
    ],
    "a row before the folder": [
      ["bytes", "sync", "move", "row", "folder", "walSync", "remove", "response"],
      "wrote its row before its bytes were safe",
    ],
    "bytes gone before the row": [
      ["bytes", "sync", "move", "folder", "remove", "row", "walSync", "response"],
      "removed bytes before the WAL knew that no row names them",
    ],
    "no answer": [["bytes", "sync", "move", "folder", "row", "walSync"], "has no answer in the trace"],
  };
  it("is rejected if a checkpoint's syncs are missing or too late", () => {
    const header = '7 pwrite64(24</d/database.sqlite-wal>, "header", 32, 0) = 32';
    const page = '9 pwrite64(37</d/database.sqlite>, "page", 4096, 8192) = 4096';
    const fileSync = "9 fsync(37</d/database.sqlite>) = 0";
    const errorsOf = (...lines: string[]) =>
      countCheckpoints(parseTrace([header, steps.row, steps.walSync, ...lines].join("\n"))).errors.join();
    const logSync = steps.walSync.replace("7", "9");
    expect(errorsOf(logSync, page, page, fileSync, header)).toBe("");
    expect(errorsOf(page, logSync, fileSync, header)).toContain("written before the WAL was synced");
    expect(errorsOf(logSync, page, fileSync, page, header)).toContain("anew before the file was synced");
    expect(errorsOf(logSync, page, header, fileSync)).toContain("anew before the file was synced");
    const unfinished = fileSync.replace(") = 0", " <unfinished ...>");
    expect(errorsOf(logSync, page, unfinished, header)).toContain("anew before the file was synced");
    // One that moves a part leaves the file to the next.
    expect(errorsOf(logSync, page, logSync, page, fileSync, header)).toBe("");
  });

  it.each(Object.entries(order))("is rejected: %s", (_, [steps, error]) => {
    expect(errorsOf(...steps)).toContain(`the-request ${error}`);
  });
});
