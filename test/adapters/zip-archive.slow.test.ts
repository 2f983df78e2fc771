import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, type TestContext } from "vitest";
import { writeZip, type ZipEntry } from "../../src/adapters/files/zip-archive.ts";
import { readZip } from "../../tools/lib/read-zip.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { readPrinted } from "../support/run-cli.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

const ENTRIES: ZipEntry[] = [
  { name: "01 - A plain name [en].txt", text: "first" },
  {
    name: "02 - བོད་ཡིག སྐད་ཆ། [bo].epub",
    open: async () => Readable.from([Buffer.from("sec"), Buffer.from("ond")]),
  },
  { name: "03 - Żółć é 🎈 [pl].pdf", text: "third" },
  { name: "04 - empty [en].txt", text: "" },
  { name: "05 - empty stream [en].txt", open: async () => Readable.from([]) },
];

/** Of the ZIP of `ENTRIES`. When it changes, every entity tag of a ZIP must change with it. */
const SHA256_OF_ENTRIES = "6cf7d82f72dfec1c4b4267511103974ddccb6ac66c90900cd67af9d0ab85a0cc";

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});

async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const output = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  await writeZip(entries, output);
  return Buffer.concat(parts);
}

/** An entry that reads a file in large parts, as the service does. */
const fileEntry = (name: string, path: string): ZipEntry => ({
  name,
  open: async () => createReadStream(path, { highWaterMark: 1024 * 1024 }),
});

describe("a ZIP", () => {
  it("contains every entry completely, in order, stored, with UTF-8 names flagged", async () => {
    const entries = await readZip(await zipOf(ENTRIES));
    expect(entries.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ["01 - A plain name [en].txt", "first"],
      ["02 - བོད་ཡིག སྐད་ཆ། [bo].epub", "second"],
      ["03 - Żółć é 🎈 [pl].pdf", "third"],
      ["04 - empty [en].txt", ""],
      ["05 - empty stream [en].txt", ""],
    ]);
    expect(entries.map(({ method }) => method)).toEqual([0, 0, 0, 0, 0]);
    expect(entries.map(({ utf8 }) => utf8)).toEqual([false, true, true, false, false]);
  });

  it("contains large files byte for byte, with little overhead", async () => {
    const contents = [randomBytes(3_000_017), randomBytes(1_048_576), randomBytes(1)];
    await Promise.all(contents.map((content, index) => writeFile(join(folder, `${index}`), content)));
    const zip = await zipOf(contents.map((_, index) => fileEntry(`${index}.bin`, join(folder, `${index}`))));
    (await readZip(zip)).forEach(({ bytes }, index) => {
      expect(bytes.equals(contents[index] ?? Buffer.alloc(0))).toBe(true);
    });
    expect(zip.length - 4_048_594).toBeLessThan(500);
  });

  it("can be empty", async () => {
    expect(await readZip(await zipOf([]))).toEqual([]);
  });

  it("can have more entries than the old format can count (ZIP64)", async () => {
    const entries = Array.from({ length: 65_540 }, (_, index) => ({ name: `${index}`, text: "" }));
    const zip = await zipOf(entries);
    expect((await readZip(zip)).map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
  });
});

describe("the same entries", () => {
  it("give the same bytes, on any day", async () => {
    const sha256 = createHash("sha256")
      .update(await zipOf(ENTRIES))
      .digest("hex");
    expect(sha256).toBe(SHA256_OF_ENTRIES);
  });

  it("give the same bytes regardless of how their streams are cut", async () => {
    const whole = await zipOf([{ name: "a", open: async () => Readable.from([Buffer.from("abcdef")]) }]);
    const cut = await zipOf([
      { name: "a", open: async () => Readable.from(["ab", "cd", "ef"].map((part) => Buffer.from(part))) },
    ]);
    expect(cut.equals(whole)).toBe(true);
  });

  it.each(["UTC", "America/Los_Angeles", "Pacific/Kiritimati"])("give the same bytes in %s", async (zone) => {
    const script = `
      import { createHash } from "node:crypto";
      import { writeZip } from ${JSON.stringify(join(import.meta.dirname, "../../src/adapters/files/zip-archive.ts"))};
      const hash = createHash("sha256");
      await writeZip([{ name: "a", text: "b" }], hash);
      console.log(hash.digest("hex"), new Date(0).getTimezoneOffset());`;
    const printed = await readPrinted(script, { TZ: zone });
    const here = createHash("sha256")
      .update(await zipOf([{ name: "a", text: "b" }]))
      .digest("hex");
    const offset = { UTC: 0, "America/Los_Angeles": 480, "Pacific/Kiritimati": 640 }[zone];
    expect(printed.trim()).toBe(`${here} ${offset}`);
  });
});

/** Other people's readers agree with ours; one that isn't installed is passed over. */
describe("a ZIP in other programs", () => {
  const missing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

  async function askTool(context: TestContext, tool: string, ...parameters: string[]): Promise<string> {
    const zip = join(folder, "books.zip");
    await writeZip(ENTRIES, createWriteStream(zip));
    const env = { ...process.env, LC_ALL: "C.UTF-8", PYTHONUTF8: "1" };
    const given = parameters.map((parameter) => (parameter === "ZIP" ? zip : parameter));
    return await run(tool, given, { cwd: folder, env }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (missing(error) ? context.skip(`${tool} isn't installed`) : Promise.reject(error)),
    );
  }

  it("is unpacked by unzip to the same names and bytes, readable by everyone", async (context) => {
    await askTool(context, "unzip", "-q", "ZIP", "-d", "out");
    for (const { name, bytes } of await readZip(await readFile(join(folder, "books.zip")))) {
      expect((await readFile(join(folder, "out", name))).equals(bytes)).toBe(true);
      expect((await stat(join(folder, "out", name))).mode & 0o777).toBe(0o644);
    }
  });

  it("is valid for Python's zipfile, and dated 1980", async (context) => {
    const script = `
import sys, json, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, z.read(i).decode(), list(i.date_time)] for i in z.infolist()]))`;
    const listed: unknown = JSON.parse(await askTool(context, "python3", "-c", script, "ZIP"));
    const ours = await readZip(await readFile(join(folder, "books.zip")));
    expect(listed).toEqual(ours.map(({ name, bytes }) => [name, bytes.toString(), [1980, 1, 1, 0, 0, 0]]));
  });

  it("is unpacked by 7z to the same names and bytes", async (context) => {
    expect(await askTool(context, "7z", "x", "ZIP", "-oout")).toContain("Everything is Ok");
    for (const { name, bytes } of await readZip(await readFile(join(folder, "books.zip")))) {
      expect((await readFile(join(folder, "out", name))).equals(bytes)).toBe(true);
    }
  });
});

describe("an entry that fails", () => {
  /** Gives some bytes, then breaks in the given way. */
  const breaking = (breakIt: (stream: Readable) => void) => {
    let parts = 0;
    return new Readable({
      read() {
        if (parts++ < 3) this.push(Buffer.alloc(100_000));
        else breakIt(this);
      },
    });
  };

  async function expectBroken(bad: ZipEntry, reason: object): Promise<void> {
    const opened: string[] = [];
    const path = join(folder, "source");
    await writeFile(path, "x");
    const good = (name: string): ZipEntry => ({
      name,
      open: async () => {
        opened.push(name);
        return createReadStream(path);
      },
    });
    const output = createWriteStream(join(folder, "out.zip"));
    await expect(writeZip([good("before"), bad, good("after")], output)).rejects.toMatchObject(reason);
    expect(output.destroyed).toBe(true);
    expect(output.writableFinished).toBe(false);
    expect(opened).toEqual(["before"]);
  }

  it("during its transfer breaks the ZIP with its own error", async () => {
    const source = breaking((stream) => stream.destroy(new Error("disk on fire")));
    await expectBroken({ name: "bad", open: async () => source }, { message: "disk on fire" });
    expect(source.destroyed).toBe(true);
  });

  it("by being closed before its end breaks the ZIP", async () => {
    const source = breaking((stream) => stream.destroy());
    await expectBroken({ name: "bad", open: async () => source }, { code: "ERR_STREAM_PREMATURE_CLOSE" });
  });

  it("on opening breaks the ZIP", async () => {
    const open = () => Promise.reject(new Error("not there"));
    await expectBroken({ name: "bad", open }, { message: "not there" });
  });

  it("because its file is missing breaks the ZIP", async () => {
    await expectBroken(fileEntry("bad", join(folder, "nothing")), { code: "ENOENT" });
  });
});

describe("an error outside the entries", () => {
  /** Never ends by itself. */
  const endless = () =>
    new Readable({
      read() {
        this.push(Buffer.alloc(100_000));
      },
    });

  it.runIf(canListDescriptors)("of a full disk is reported, and every source is closed", async () => {
    const path = join(folder, "source");
    await writeFile(path, Buffer.alloc(5_000_000));
    const entries = Array.from({ length: 5 }, (_, index) => fileEntry(`${index}`, path));
    await expect(writeZip(entries, createWriteStream("/dev/full"))).rejects.toMatchObject({ code: "ENOSPC" });
    await expect.poll(() => openDescriptors(folder)).toEqual([]);
  });

  it("of the output while an entry is being opened is reported, and the entry closed", async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const source = endless();
    const open = async () => {
      output.destroy(new Error("the disk went"));
      await new Promise(setImmediate);
      return source;
    };
    await expect(writeZip([{ name: "a", open }], output)).rejects.toThrow("the disk went");
    expect(source.destroyed).toBe(true);
  });

  it("by a closed output ends the reading", async () => {
    const source = endless();
    const output = new Writable({
      write(_chunk, _encoding, done) {
        this.destroy();
        done();
      },
    });
    const writing = writeZip([{ name: "a", open: async () => source }], output);
    await expect(writing).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
    expect(source.destroyed).toBe(true);
  });

  it("by a signal ends the archive, also within an entry", async () => {
    const aborter = new AbortController();
    const source = endless();
    let written = 0;
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.length;
        if (written > 1_000_000) aborter.abort();
        setImmediate(done);
      },
    });
    const writing = writeZip([{ name: "a", open: async () => source }], output, aborter.signal);
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    expect([source.destroyed, output.destroyed]).toEqual([true, true]);
  });

  it("never leaves more than one source open", async () => {
    let open = 0;
    let most = 0;
    const counted = (name: string): ZipEntry => ({
      name,
      open: async () => {
        most = Math.max(most, ++open);
        const source = Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]);
        source.once("close", () => open--);
        return source;
      },
    });
    await zipOf(Array.from({ length: 20 }, (_, index) => counted(`${index}`)));
    expect([open, most]).toEqual([0, 1]);
  });
});

describe("an unsafe entry name", () => {
  it.each(["", ".", "..", "../a", "a/b", "/a", "a\\b", "C:a", "a\0b", "a\nb", "\ud800"])(
    "%j is rejected",
    async (name) => {
      const output = new PassThrough();
      await expect(writeZip([{ name, text: "x" }], output)).rejects.toThrow("Not a name for a ZIP entry");
      expect(output.destroyed).toBe(true);
    },
  );

  it("is rejected if it is repeated", async () => {
    const twice = [
      { name: "a", text: "1" },
      { name: "a", text: "2" },
    ];
    await expect(writeZip(twice, new PassThrough())).rejects.toThrow("Two ZIP entries");
  });
});
