/** Resumed downloads: a reader never joins two versions, after any change between two parts. */
import { describe, expect, it } from "vitest";
import { startApp } from "./app.ts";
import { AGENTS, findOnlyEvent, linkTo, linkToAll } from "./reader.ts";

/** Both versions of everything are longer. */
const FIRST_BYTES = 500;

interface Received {
  status: number;
  body: Buffer;
  etag: string;
  contentRange: string | null;
  wasRedirected: boolean;
}

/** A book with one file in English, and a link to the file or to the ZIP of the language, both of version 1. */
async function createScene(kind: "file" | "zip", variables: Record<string, string>) {
  const app = await startApp(variables);
  const { book, file } = await app.make.published("The Well", "en", textOf(1));
  const admin = await app.admin();
  const link =
    kind === "zip"
      ? await linkToAll(app.api, "en")
      : await linkTo(app.api, { slug: book.slug, languageCode: "en" });
  const path = `/api/admin/books/${book.id}`;
  /** A file changes with its content, and a ZIP with any title. */
  async function change(version: number): Promise<void> {
    app.clock.advance(1000);
    const response =
      kind === "zip"
        ? await admin.put(path, { titleEn: version === 1 ? "The Well" : `The Well, version ${version}` })
        : await admin.upload("put", `${path}/files/${file.id}`, {
            file: { bytes: Buffer.from(textOf(version)), name: "a.txt" },
          });
    expect(response.status).toBe(200);
  }
  async function receive(headers: Record<string, string>): Promise<Received> {
    const response = await app.api.get(link, { "User-Agent": AGENTS.chrome, ...headers });
    if (response.status !== 302) {
      const { etag = "", "content-range": contentRange = null } = response.headers;
      return { status: response.status, body: response.body, etag, contentRange, wasRedirected: false };
    }
    const address = new URL(response.headers.location ?? "");
    expect(address.searchParams.get("X-Amz-Expires")).toBe("60");
    const stored = await fetch(address, { headers });
    return {
      status: stored.status,
      body: Buffer.from(await stored.arrayBuffer()),
      etag: stored.headers.get("etag") ?? "",
      contentRange: stored.headers.get("content-range"),
      wasRedirected: true,
    };
  }
  return { app, link, change, receive };
}

const textOf = (version: number): string => `${version} `.repeat(1000 + version);

/** What happens between the form, at version 1, and the range that resumes. `bot` reads without redeeming the link. */
type Event = "read" | "bot" | number;
const HISTORIES: readonly (readonly Event[])[] = [
  ["bot"],
  ["read"],
  ["bot", 2],
  ["read", 2],
  [2, "read"],
  [2, "read", 3],
  ["read", 2, "read"],
  ["read", 2, 1],
  [2, "read", 1],
];

const named = (history: readonly Event[]): string =>
  ["form", ...history.map((event) => (typeof event === "number" ? `version ${event}` : event))].join(", ");

const CASES = (["file", "zip"] as const).flatMap((kind) =>
  HISTORIES.flatMap((history) =>
    (["none", "the reader's version", "the present version"] as const).map((ifRange) => ({
      kind,
      history,
      ifRange,
      name: `${kind}: ${named(history)}; If-Range: ${ifRange}`,
    })),
  ),
);

/** Lets a history happen. @returns the versions of the link, of the content and of what the reader has, and its tag */
async function play(
  history: readonly Event[],
  { app, change, receive }: Awaited<ReturnType<typeof createScene>>,
) {
  const state = { link: 1, present: 1, had: 0, hadEtag: "", isRedeemed: false };
  for (const event of history) {
    if (typeof event === "number") {
      await change(event);
      state.present = event;
      continue;
    }
    const agent = event === "bot" ? AGENTS.googlebot : AGENTS.chrome;
    const { status, etag } = await receive({ "User-Agent": agent, Range: `bytes=0-${FIRST_BYTES - 1}` });
    expect([200, 206]).toContain(status);
    Object.assign(state, { had: state.present, hadEtag: etag });
    if (event === "bot") continue;
    if (!state.isRedeemed) state.link = state.present;
    state.isRedeemed = true;
  }
  expect((await findOnlyEvent(app)).redeemedAt !== null).toBe(state.isRedeemed);
  return state;
}

/** @param redirects whether the store sends what it can */
export function describeResuming(settingsOfTest: () => Record<string, string>, redirects: boolean): void {
  describe("a resumed download", () => {
    it.each(CASES)("$name", async ({ kind, history, ifRange }) => {
      const started = await createScene(kind, settingsOfTest());
      const { link, present, had, hadEtag } = await play(history, started);
      const { receive } = started;
      const whole = await receive({ "User-Agent": AGENTS.googlebot });
      expect(whole.status).toBe(200);
      const { version, tag } = {
        none: { version: link, tag: undefined },
        "the reader's version": { version: had, tag: hadEtag },
        "the present version": { version: present, tag: whole.etag },
      }[ifRange];
      const condition: Record<string, string> = tag === undefined ? {} : { "If-Range": tag };
      const resumed = await receive({ Range: `bytes=${FIRST_BYTES}-`, ...condition });
      const size = whole.body.length;
      const rest = {
        status: 206,
        contentRange: `bytes ${FIRST_BYTES}-${size - 1}/${size}`,
        wasRedirected: redirects && (tag === undefined || tag === whole.etag),
      };
      const everything = { status: 200, contentRange: null, wasRedirected: false };
      expect(resumed).toMatchObject(version === present ? rest : everything);
      const from = version === present ? FIRST_BYTES : 0;
      expect(resumed.body.equals(whole.body.subarray(from))).toBe(true);
    });
  });
}
