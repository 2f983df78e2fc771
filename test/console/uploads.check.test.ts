/** The queue of uploads: hashed one by one, looked up, sent once, and continued after any interruption. */
import { describe, expect, it } from "vitest";
import { findFileKind, isCatalogue, sortCatalogues } from "../../console/src/uploads/file-kinds.ts";
import { findRoot } from "../../console/src/uploads/plan-root.ts";
import {
  countByStatus,
  type Found,
  hasCorrections,
  isRemarked,
  type NewFile,
} from "../../console/src/uploads/queue.ts";
import { QueueRunner, type Steps } from "../../console/src/uploads/runner.ts";

const PLACE = { bookId: "well", fileId: "file", languageCode: "es", fileType: "epub" };
const RECOGNISED = { fileType: "epub", title: "El pozo", languageCode: "es", errors: [] };

const NOTHING_FOUND: Found = { files: [], examined: [] };

/** A book has all of them. */
const placeAll = (hashes: readonly string[]): Found => ({
  files: hashes.map((sha256) => ({ ...PLACE, sha256 })),
  examined: [],
});

const fileOf = (id: number, more: Partial<NewFile> = {}): NewFile => ({
  id,
  kind: "book",
  path: `folder/${id}.epub`,
  bytes: 10,
  modifiedAt: 1,
  bookId: undefined,
  ...more,
});

/** A queue in a world in which everything succeeds at once, and notes of what it did. */
function startRunner(steps: Partial<Steps> = {}) {
  const done: string[] = [];
  const waits: number[] = [];
  const runner = new QueueRunner({
    hash: async (id) => `hash ${id}`,
    lookUp: async (hashes) => {
      done.push(`look up ${hashes.length}`);
      return NOTHING_FOUND;
    },
    send: async (id) => {
      done.push(`send ${id}`);
      return RECOGNISED;
    },
    waitForSession: async () => undefined,
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...steps,
  });
  const statuses = () => runner.queue.map(({ status }) => status);
  const settle = (wanted: readonly string[]) => expect.poll(statuses).toEqual(wanted);
  return { runner, done, waits, statuses, settle };
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("the queue of uploads", () => {
  it("has corrections until they are stored or their file is taken out", async () => {
    const { runner, settle } = startRunner();
    runner.dispatch({ type: "added", files: [fileOf(1), fileOf(2)] });
    await settle(["ready", "ready"]);
    expect(hasCorrections(runner.queue)).toBe(false);
    runner.dispatch({ type: "edited", ids: [1, 2], edit: { title: "Un pozo" } });
    runner.dispatch({ type: "stored", id: 1, place: PLACE });
    expect(hasCorrections(runner.queue)).toBe(true);
    runner.dispatch({ type: "edited", ids: [2], edit: { isIncluded: false } });
    expect(hasCorrections(runner.queue)).toBe(false);
  });

  it("looks a file up again that was taken back and is dropped once more, and keeps no remarks on it", async () => {
    const { runner, done, settle } = startRunner();
    const file = fileOf(1);
    const late = [{ code: "title_differs", found: "a", expected: "b" }];
    runner.dispatch({ type: "added", files: [file] });
    await settle(["ready"]);
    const remarks = [{ code: "metadata_pending", found: null, expected: null }];
    runner.dispatch({ type: "stored", id: 1, place: PLACE, remarks });
    expect(runner.queue.some(isRemarked)).toBe(false);
    runner.dispatch({ type: "remarked", id: 1, remarks: late });
    expect(runner.queue.every(isRemarked)).toBe(true);
    runner.dispatch({ type: "undone", id: 1 });
    runner.dispatch({ type: "remarked", id: 1, remarks: late });
    expect(runner.queue).toMatchObject([{ status: "undone", places: [], remarks: [] }]);
    runner.dispatch({ type: "retried" });
    expect(runner.queue[0]?.status).toBe("undone");
    done.length = 0;
    runner.dispatch({ type: "added", files: [file] });
    await settle(["ready"]);
    expect(done).toEqual(["look up 1", "send 1"]);
  });

  it("hashes, looks up and sends each file once", async () => {
    const { runner, done, settle } = startRunner();
    runner.dispatch({ type: "added", files: numbersTo(3).map((id) => fileOf(id)) });
    await settle(["ready", "ready", "ready"]);
    expect(done.filter((step) => step.startsWith("send")).sort()).toEqual(["send 1", "send 2", "send 3"]);
    expect(runner.queue[0]?.recognised).toEqual(RECOGNISED);
  });

  it("never sends what can't be a file of a book or a cover", async () => {
    const { runner, done, settle } = startRunner();
    const kinds = ["other", "about", "image"] as const;
    runner.dispatch({ type: "added", files: kinds.map((kind, id) => fileOf(id, { kind })) });
    await settle(["ignored", "ignored", "ready"]);
    expect(done).toEqual(["look up 1", "send 2"]);
  });

  it("sends files of an import once all of them are known, and those of a book at once", async () => {
    const second = Promise.withResolvers<string>();
    const hash = (id: number) => (id === 3 ? second.promise : Promise.resolve(`hash ${id}`));
    const { runner, done, settle } = startRunner({ hash });
    const files = [fileOf(1), fileOf(2, { bookId: "well" }), fileOf(3)];
    runner.dispatch({ type: "added", files });
    await settle(["unknown", "ready", "hashing"]);
    expect(done.filter((step) => step.startsWith("send"))).toEqual(["send 2"]);
    second.resolve("hash 3");
    await settle(["ready", "ready", "ready"]);
  });

  it("leaves out the folder that was dropped from plans, unless it says something", () => {
    expect(findRoot(["books/es/a.epub", "books/b.epub"])).toBe("books/");
    for (const paths of [
      ["a.epub", "books/b.epub"],
      ["es/a.pdf"],
      ["Spanish/a.pdf"],
      ["the-well/es.epub"],
      ["the-well/Well.epub", "the-well/cover.jpg"],
    ])
      expect(findRoot(paths), paths.join()).toBe("");
  });

  it("recognises by their names what a file can be, and the catalogues of a folder", () => {
    const kindOf = (path: string) => findFileKind(path, ["epub", "txt", "html"]);
    const paths = ["a/B.EPUB", "b.htm", "es/cover.JPG", "README.txt", "README.md", "languages.json", "notes"];
    expect(paths.map(kindOf)).toEqual(["book", "book", "image", "about", "other", "other", "other"]);
    const found = ["books/catalogue.XLSX", "catalogue.json", "list.csv", "a/list.csv", "a/b/catalogue.csv"];
    expect(found.filter(isCatalogue)).toEqual(["books/catalogue.XLSX", "catalogue.json", "list.csv"]);
    const names = ["list.csv", "b/catalogue.xlsx", "b/catalogue.json"].map((name) => ({ name }));
    expect(sortCatalogues(names).map(({ name }) => name)).toEqual([
      "b/catalogue.json",
      "b/catalogue.xlsx",
      "list.csv",
    ]);
  });

  it("sends nothing that a book has already", async () => {
    const lookUp = async (hashes: readonly string[]) => placeAll(hashes);
    const { runner, done, settle } = startRunner({ lookUp });
    runner.dispatch({ type: "added", files: [fileOf(1), fileOf(2)] });
    await settle(["known", "known"]);
    expect(done).toEqual([]);
    expect(runner.queue[0]?.places).toMatchObject([PLACE]);
  });

  it("doesn't send what another book has, but has it ready for the book on which it was dropped", async () => {
    const lookUp = async (hashes: readonly string[]) => placeAll(hashes);
    const { runner, done, settle } = startRunner({ lookUp });
    runner.dispatch({ type: "added", files: [fileOf(1, { bookId: "moon" }), fileOf(2, { bookId: "well" })] });
    await settle(["ready", "known"]);
    expect(done).toEqual([]);
    expect(runner.queue[0]?.recognised).toMatchObject({ fileType: "epub", languageCode: "es" });
  });

  it("sends nothing that was examined, unless it is for a known book or was dropped meanwhile", async () => {
    const lookUp = async (hashes: readonly string[]) => ({ files: [], examined: hashes });
    const { runner, done, settle } = startRunner({ lookUp });
    const files = [fileOf(1, { path: "a/B.HTM" }), fileOf(2, { bookId: "well" }), fileOf(3)];
    runner.dispatch({ type: "added", files });
    await settle(["ready", "ready", "ready"]);
    expect(done).toEqual(["send 2"]);
    expect(runner.queue[0]?.recognised).toMatchObject({ fileType: "html", title: null, errors: [] });
    runner.dispatch({ type: "lost", id: 3 });
    await settle(["ready", "ready", "ready"]);
    expect(done).toEqual(["send 2", "send 3"]);
  });

  it("hashes one file and sends two at a time", async () => {
    const most = { hash: 0, send: 0 };
    const running = { hash: 0, send: 0 };
    const begin = (step: "hash" | "send") => {
      running[step] += 1;
      most[step] = Math.max(most[step], running[step]);
    };
    let hashed = 0;
    const allHashed = Promise.withResolvers<void>();
    const { runner, settle } = startRunner({
      async hash(id) {
        begin("hash");
        await Promise.resolve();
        running.hash -= 1;
        hashed += 1;
        if (hashed === 20) allHashed.resolve();
        return `hash ${id}`;
      },
      async send() {
        begin("send");
        await allHashed.promise;
        running.send -= 1;
        return RECOGNISED;
      },
    });
    runner.dispatch({ type: "added", files: numbersTo(20).map((id) => fileOf(id)) });
    await settle(numbersTo(20).map(() => "ready"));
    expect(most).toEqual({ hash: 1, send: 2 });
  });

  it("gathers hashes while a look-up runs, at most 1,000 in one", async () => {
    const sizes: number[] = [];
    let isFirst = true;
    const first = Promise.withResolvers<void>();
    const lookUp = async (hashes: readonly string[]) => {
      sizes.push(hashes.length);
      if (isFirst) await first.promise;
      isFirst = false;
      return placeAll(hashes);
    };
    const { runner, settle } = startRunner({ lookUp });
    runner.dispatch({ type: "added", files: numbersTo(1802).map((id) => fileOf(id)) });
    await expect.poll(() => countByStatus(runner.queue).get("hashed")).toBe(1801);
    first.resolve();
    await settle(numbersTo(1802).map(() => "known"));
    expect(sizes).toEqual([1, 1000, 801]);
  });

  it("tries again after a broken line and a busy server, as late as the server says", async () => {
    const failures = [{ status: 0 }, { status: 503 }, { status: 429, retryAfter: 7 }];
    const send = async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return RECOGNISED;
    };
    const { runner, waits, settle } = startRunner({ send });
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    await settle(["ready"]);
    expect(waits).toEqual([1000, 2000, 7000]);
  });

  it("waits while the session has ended, and goes on after the log-in", async () => {
    const logIn = Promise.withResolvers<void>();
    let hasSession = false;
    const { runner, settle, statuses } = startRunner({
      waitForSession: () => logIn.promise,
      send: async () => {
        if (!hasSession) throw { status: 401 };
        return RECOGNISED;
      },
    });
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    await expect.poll(() => runner.queue[0]?.isHeldUp).toBe(true);
    expect(statuses()).toEqual(["sending"]);
    hasSession = true;
    logIn.resolve();
    await settle(["ready"]);
  });

  it("gives up at what no repetition mends, goes on with the others, and tries it again when asked", async () => {
    let isTooLarge = true;
    const error = { status: 413, message: "too large" };
    const send = async (id: number) => {
      if (id === 1 && isTooLarge) throw error;
      return RECOGNISED;
    };
    const { runner, settle, waits } = startRunner({ send });
    runner.dispatch({ type: "added", files: [fileOf(1), fileOf(2)] });
    await settle(["failed", "ready"]);
    expect(runner.queue[0]?.error).toBe(error);
    expect(waits).toEqual([]);
    isTooLarge = false;
    runner.dispatch({ type: "retried" });
    await settle(["ready", "ready"]);
  });

  it("doesn't repeat for ever what a server can't do", async () => {
    const { runner, settle, waits } = startRunner({
      send: async () => {
        throw { status: 500 };
      },
    });
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    await settle(["failed"]);
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("adds a file that was dropped again only if it has changed or was dropped on another book", async () => {
    const { runner, settle } = startRunner();
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    runner.dispatch({ type: "added", files: [fileOf(2, { path: "folder/1.epub" })] });
    expect(runner.queue).toHaveLength(1);
    runner.dispatch({ type: "added", files: [fileOf(3, { path: "folder/1.epub", modifiedAt: 2 })] });
    runner.dispatch({ type: "added", files: [fileOf(4, { path: "folder/1.epub", bookId: "well" })] });
    await settle(["ready", "ready", "ready"]);
  });

  it("sends bytes again that the service has dropped meanwhile", async () => {
    const { runner, done, settle } = startRunner();
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    await settle(["ready"]);
    expect(await runner.sendAgain(1)).toBe(true);
    await settle(["ready"]);
    expect(done.filter((step) => step === "send 1")).toHaveLength(2);
  });

  it("tries again from the sending of what the service has dropped and couldn't be sent", async () => {
    let sent = 0;
    const { runner, settle } = startRunner({
      async send() {
        sent += 1;
        if (sent === 2) throw { status: 400 };
        return RECOGNISED;
      },
    });
    runner.dispatch({ type: "added", files: [fileOf(1)] });
    await settle(["ready"]);
    expect(await runner.sendAgain(1)).toBe(false);
    runner.dispatch({ type: "retried" });
    await settle(["ready"]);
    expect(sent).toBe(3);
  });
});
