/** The attacks of `abuse.ts`: what each prepares as an administrator, and what it then does without a credential. */
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { Administrator, askForLink } from "./administrator.ts";
import { type BenchRow, boundRow } from "./row.ts";
import { ADMIN } from "./service-process.ts";

/** What an attack knows of the server that it meets. */
interface Strike {
  port: number;
  /** The path that it asks for. */
  path: string;
}

export interface Attack {
  name: string;
  variables?: Readonly<Record<string, string>>;
  prepare(port: number): Promise<Strike>;
  /** @returns rows of its own, beside waits and memory */
  act(strike: Strike, namelessBytes: () => number): Promise<BenchRow[]>;
}

const ATTACKER = "127.0.0.2";
const SUBMIT = "/api/download/submit";
/** More as a PNG than the system keeps on its way to a reader. */
const COVER = { width: 1200, height: 8000, channels: 3 } as const;
const SEARCHED_BOOKS = 2000;
const LARGE_BYTES = 60_000_000;
const MEGABYTE = 1e6;
/** Requests that come at the same time may share a response: these don't. */
const BETWEEN_CONNECTIONS_MS = 10;

export const attacks: readonly Attack[] = [
  {
    name: "combining marks",
    prepare: withBook,
    async act({ port }) {
      for (const pairs of [131_000, 3000]) await post(port, SUBMIT, form("\u0316\u0301".repeat(pairs)));
      return [];
    },
  },
  {
    name: "long Accept headers",
    prepare: withBook,
    async act({ port, path }) {
      const accept = `image/png;q=0,${"*/*,".repeat(3700)}`;
      for (let request = 0; request < 5; request += 1) {
        await talk(port, head(`GET ${path}/cover`, [`Accept: ${accept}`, "Connection: close"]));
      }
      return [];
    },
  },
  {
    name: "bodies in chunks of one byte",
    prepare: withBook,
    async act({ port }) {
      const opening = head(`POST ${SUBMIT}`, [
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
      ]);
      const body = `${"1\r\n \r\n".repeat(1_000_000)}0\r\n\r\n`;
      await Promise.all(Array.from({ length: 5 }, () => talk(port, opening + body)));
      return [];
    },
  },
  {
    name: "pipelined files of the reference",
    prepare: withBook,
    act: ({ port }) => hold(port, 1, head("GET /api/docs/swagger-ui-bundle.js").repeat(363), 5000),
  },
  {
    name: "pipelined lists",
    variables: { MAX_CONNECTIONS_PER_ADDRESS: "200" },
    prepare: (port) => withBooks(port, 50),
    act: ({ port }) => hold(port, 100, head("GET /api/books").repeat(1500), 5000),
  },
  {
    name: "hundreds of connections",
    prepare: withBook,
    act: ({ port }) => hold(port, 400, head("GET /api/docs/swagger-ui-bundle.js"), 5000),
  },
  {
    name: "a ZIP with a missing member",
    variables: { CLOUD_FETCH_ALLOW_HOSTS: "127.0.0.1:1" },
    prepare: withDeadLink,
    act: fillDisk,
  },
  {
    name: "guessed passwords",
    variables: { RATE_LIMIT_LOGIN: "10" },
    prepare: withBook,
    act: lockOut,
  },
  {
    name: "slow readers of covers",
    prepare: withLargeCover,
    act: ({ port, path }) => hold(port, 150, head(`GET ${path}`, ["Accept: image/png"]), 5000),
  },
  {
    name: "searches",
    variables: { RATE_LIMIT_SEARCH: "0" },
    prepare: (port) => withBooks(port, SEARCHED_BOOKS),
    act: search,
  },
  {
    name: "slow cloud hosts",
    variables: { CLOUD_FETCH_ALLOW_HOSTS: "127.0.0.1:4999" },
    prepare: withBook,
    act: dripFeed,
  },
];

async function withBook(port: number): Promise<Strike> {
  const admin = await Administrator.of(port);
  const { slug } = await admin.addLargeBook("en", 2000);
  return { port, path: `/api/books/${slug}` };
}

/** Each with a file and four long texts. */
async function withBooks(port: number, count: number): Promise<Strike> {
  const admin = await Administrator.of(port);
  const languages = ["en", "es", "fr", "ar"];
  for (const code of languages) await admin.addLanguage(code);
  for (let first = 0; first < count; first += 50) {
    await admin.bulk(Array.from({ length: 50 }, (_, index) => bookOf(first + index, languages)));
  }
  return { port, path: "/api/books" };
}

const bookOf = (number: number, languages: readonly string[]) => ({
  titleEn: `Book ${number}`,
  translations: languages.map((languageCode) => ({
    languageCode,
    title: `Title ${number} in ${languageCode}`,
    description: `lantern ${number} harbour `.repeat(95),
  })),
  files: languages.map((languageCode) => ({
    languageCode,
    fileType: "pdf",
    sourceType: "url",
    cloudUrl: `https://files.example.org/${number}-${languageCode}.pdf`,
    fileName: `${number}.pdf`,
    fileSizeBytes: 1000,
  })),
});

async function withDeadLink(port: number): Promise<Strike> {
  const admin = await Administrator.of(port);
  const { id } = await admin.addLargeBook("en", LARGE_BYTES);
  await admin.addCloudFile(id, { languageCode: "en", cloudUrl: "http://127.0.0.1:1/gone.epub" });
  return { port, path: await askForLink(port, "en") };
}

async function withLargeCover(port: number): Promise<Strike> {
  const admin = await Administrator.of(port);
  const { id, slug } = await admin.addLargeBook("en", 2000);
  const noise = Buffer.from(
    Uint8Array.from({ length: COVER.width * COVER.height * COVER.channels }, () => Math.random() * 256),
  );
  await admin.putCover(id, await sharp(noise, { raw: COVER }).jpeg({ quality: 50 }).toBuffer());
  const path = `/api/books/${slug}/cover?width=1200`;
  // The readers ask for what is there already.
  await talk(port, head(`GET ${path}`, ["Accept: image/png", "Connection: close"]));
  return { port, path };
}

/** Forty slow readers of one link, and HEAD and failed preconditions between them. */
async function fillDisk({ port, path }: Strike, namelessBytes: () => number): Promise<BenchRow[]> {
  const sockets = Array.from({ length: 40 }, () => open(port, head(`GET ${path}`)));
  for (let request = 0; request < 5; request += 1) {
    await talk(port, head(`HEAD ${path}`, ["Connection: close"]), 2000);
    await talk(port, head(`GET ${path}`, ['If-Match: "x"', "Connection: close"]), 2000);
  }
  await wait(5000);
  const held = namelessBytes() / MEGABYTE;
  for (const socket of sockets) socket.destroy();
  return [
    boundRow("a ZIP with a missing member: disk without a name", held, "MB", 2 * (LARGE_BYTES / MEGABYTE)),
  ];
}

/** Then the administrator comes, from another address. */
async function lockOut({ port }: Strike): Promise<BenchRow[]> {
  const login = (password: string) => JSON.stringify({ ...ADMIN, password });
  for (let guess = 0; guess < 20; guess += 1) await post(port, "/api/auth/login", login(`wrong ${guess}`));
  const status = statusIn(await post(port, "/api/auth/login", login(ADMIN.password), "127.0.0.9"));
  return [isRow("guessed passwords: the administrator logs in elsewhere", status, 200)];
}

/** Ten clients, a new term each time. */
async function search({ port, path }: Strike): Promise<BenchRow[]> {
  const client = async (name: number) => {
    for (let term = 0; term < 10; term += 1) {
      const words = `${"abcdefghij"[name]}${"klmnopqrst"[term]}`;
      await talk(port, head(`GET ${path}?search=a%20${words}`, ["Connection: close"]));
      await talk(port, head(`GET ${path}?search=harbour%20${name}${term}`, ["Connection: close"]));
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, name) => client(name)));
  return [];
}

/** Two languages whose one file comes by a byte every five seconds; then somebody asks for a third language's ZIP. */
async function dripFeed({ port }: Strike): Promise<BenchRow[]> {
  const host = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": 1_000_000 });
    const timer = setInterval(() => response.write(" "), 5000);
    response.once("close", () => clearInterval(timer));
  }).listen(4999, "127.0.0.1");
  const admin = await Administrator.of(port);
  const sockets: Socket[] = [];
  for (const languageCode of ["es", "fr", "ar"]) {
    await admin.addLanguage(languageCode);
    const { id } = await admin.addBook(`Slow ${languageCode}`);
    await admin.addCloudFile(id, { languageCode, cloudUrl: "http://127.0.0.1:4999/slow.epub" });
    sockets.push(open(port, head(`GET ${await askForLink(port, languageCode)}`)));
  }
  await wait(1000);
  const path = await askForLink(port, "en");
  const start = performance.now();
  const status = statusIn(await talk(port, head(`GET ${path}`, ["Connection: close"]), 20_000));
  const waited = performance.now() - start;
  for (const socket of sockets) socket.destroy();
  host.closeAllConnections();
  host.close();
  return [
    isRow("slow cloud hosts: status of a ZIP of local files", status, 200),
    boundRow("slow cloud hosts: it comes after", waited, "ms", 2000),
  ];
}

const isRow = (what: string, ours: number, wanted: number): BenchRow => ({
  what,
  ours: String(ours),
  other: "",
  ratio: Number((ours / wanted).toFixed(2)),
  bound: `is ${wanted}`,
  ok: ours === wanted,
});

/** Sends the same on many connections, one after the other, and takes nothing of the responses. */
async function hold(port: number, connections: number, request: string, ms: number): Promise<BenchRow[]> {
  const sockets: Socket[] = [];
  for (let each = 0; each < connections; each += 1) {
    sockets.push(open(port, request));
    await wait(BETWEEN_CONNECTIONS_MS);
  }
  await wait(ms);
  for (const socket of sockets) socket.destroy();
  return [];
}

const head = (target: string, headers: readonly string[] = []): string =>
  [`${target} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

const form = (firstName: string): string =>
  JSON.stringify({ languageCode: "en", slug: "x", contact: { email: "x@example.com", firstName } });

function post(port: number, path: string, body: string, localAddress = ATTACKER): Promise<string> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const opening = head(`POST ${path}`, ["Content-Type: application/json", length, "Connection: close"]);
  return talk(port, opening + body, 300_000, localAddress);
}

/** A connection that sends and reads nothing. */
function open(port: number, request: string): Socket {
  const buffer = Buffer.alloc(1);
  const onread = { buffer, callback: () => false };
  const socket = connect({ port, host: "127.0.0.1", localAddress: ATTACKER, onread });
  socket.on("error", () => {});
  socket.write(request);
  return socket;
}

/** A connection that sends and reads until it is closed: by the server, or by us after `mostMs`. */
function talk(port: number, request: string, mostMs = 300_000, localAddress = ATTACKER): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: false });
  let text = "";
  socket.setEncoding("latin1").on("data", (piece) => {
    if (text.length < 1000) text += piece;
  });
  socket.on("error", () => {});
  const timer = setTimeout(() => socket.destroy(), mostMs);
  socket.write(request);
  return new Promise((resolve) => {
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

const statusIn = (response: string): number => Number(response.split(" ")[1] ?? 0);
