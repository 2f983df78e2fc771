/** Types of files that are packed, or begin, in another way than their format says, and that programs open all the same. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identifyFile, recogniseContent } from "../../src/adapters/file-types/recognise.ts";
import { findFileBelow } from "../../src/operation/transfer/local-files.ts";
import { createMp3, zipOf } from "../support/book-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** The type of a file with this name, or the objection to it. */
async function identify(bytes: Buffer | string, name: string): Promise<string> {
  const folder = createTempFolder();
  writeFileSync(join(folder, name), bytes);
  const found = identifyFile(await recogniseContent(await findFileBelow(folder, name)), name);
  return found.objection ?? found.fileType;
}

const PDF = "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
/** A tag, and frames of silence. */
const MP3 = createMp3({ TALB: "A" });
const TAG = MP3.subarray(0, MP3.indexOf("\xff\xfb", 0, "latin1"));
const FRAMES = MP3.subarray(TAG.length);

describe("a book", () => {
  const ODT = "application/vnd.oasis.opendocument.text";
  const manifest = (type: string) =>
    `<m:manifest><m:file-entry m:full-path="a" m:media-type="x"/><m:file-entry m:media-type="${type}" m:full-path="/"/></m:manifest>`;

  it.each([
    ["an ODT with a compressed type at the end", { "content.xml": "<office/>", mimetype: ODT }, "odt"],
    [
      "an ODT with a manifest only",
      { "content.xml": "<office/>", "META-INF/manifest.xml": manifest(ODT) },
      "odt",
    ],
    [
      "an EPUB without a type",
      { "OPS/a.opf": "<package/>", "META-INF/container.xml": "<container/>" },
      "epub",
    ],
    [
      "a spreadsheet of OpenDocument",
      { "META-INF/manifest.xml": manifest(ODT.replace("text", "spreadsheet")) },
      "The file is a document of another kind, not an OpenDocument text.",
      "a.odt",
    ],
    [
      "an EPUB that was packed with its folder",
      { "book/OPS/a.opf": "<package/>", "book/META-INF/container.xml": "<container/>" },
      "The file is a ZIP archive with the folder of an EPUB book, not an EPUB book. Pack what is in the folder, not the folder itself.",
      "a.epub",
    ],
    ["a manifest of something else", { "META-INF/manifest.xml": "<a/>", "a.txt": "a" }, "zip"],
  ])("can be %s", async (_, entries, expected, name = `a.${expected}`) => {
    expect(await identify(await zipOf(entries), name)).toBe(expected);
  });

  it.each([
    ["a line end", "\n"],
    ["a header of mail", "\r\nsent by a gateway\r\n"],
    ["a tag", TAG],
    ["other bytes", Buffer.alloc(900, "\xff\x00", "latin1")],
  ])("can be a PDF after %s", async (_, before) => {
    expect(await identify(Buffer.concat([Buffer.from(before), Buffer.from(PDF)]), "a.pdf")).toBe("pdf");
  });

  it.each([
    ["NULs", Buffer.alloc(200)],
    ["the end of a frame", Buffer.alloc(200, 7)],
    ["two tags", Buffer.concat([TAG, TAG])],
    ["a tag and much padding", Buffer.concat([TAG, Buffer.alloc(40_000)])],
    ["a tag and the remains of a frame", Buffer.concat([TAG, FRAMES.subarray(9, 200)])],
  ])("can be an MP3 after %s", async (_, before) => {
    expect(await identify(Buffer.concat([before, FRAMES]), "a.mp3")).toBe("mp3");
  });

  it.each([
    ["two frames", Buffer.concat([Buffer.alloc(200, 7), FRAMES.subarray(0, 834), Buffer.alloc(9000, 7)])],
    ["a tag alone", Buffer.concat([TAG, Buffer.alloc(900)])],
  ])("isn't an MP3 with %s", async (_, bytes) => {
    expect(await identify(bytes, "a.mp3")).toBe("The file is of an unknown type, not an MP3 recording.");
  });
});

describe("a document of an Office program", () => {
  const compound = (stream: string) => {
    const bytes = Buffer.alloc(2048);
    bytes.write("d0cf11e0a1b11ae1", "hex");
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1, 48);
    bytes.write(stream, 1024 + 128, "utf16le");
    return bytes;
  };

  it.each([
    [
      "EncryptedPackage",
      "The file is an Office document with a password, not a Word document. Open it with the password, remove the password, and save it again.",
    ],
    [
      "WordDocument",
      "The file is a Word document of the old kind (DOC), not a Word document. Save it as DOCX or PDF.",
    ],
    [
      "Workbook",
      "The file is an Excel workbook of the old kind (XLS), not a Word document. Save it as XLSX.",
    ],
    ["PowerPoint Document", "The file is of type application/x-cfb, not a Word document."],
  ])("with the stream %s is named, with what to do", async (stream, reason) => {
    expect(await identify(compound(stream), "a.docx")).toBe(reason);
  });
});

describe("an MPEG-4 file", () => {
  const box = (type: string, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const header = Buffer.alloc(8);
    header.writeUInt32BE(content.length + 8);
    header.write(type, 4, "latin1");
    return Buffer.concat([header, content]);
  };
  const textAt = (offset: number, text: string, length: number) => {
    const bytes = Buffer.alloc(length);
    bytes.write(text, offset, "latin1");
    return bytes;
  };
  const track = (kind: string, format: string) => {
    const table = box("stbl", box("stsd", textAt(12, format, 16)));
    return box("trak", box("mdia", box("hdlr", textAt(8, kind, 25)), box("minf", table)));
  };
  const SOUND = track("soun", "mp4a");
  const file = (...tracks: Buffer[]) =>
    Buffer.concat([
      box("ftyp", Buffer.from("M4A \0\0\0\0")),
      box("mdat", Buffer.alloc(64)),
      box("moov", ...tracks),
    ]);

  it("with moving pictures is a film, and with sound and pictures of its chapters an audiobook", async () => {
    expect(await identify(file(SOUND), "a.m4a")).toBe("m4b");
    expect(await identify(file(SOUND, track("vide", "jpeg")), "a.m4b")).toBe("m4b");
    expect(await identify(file(SOUND, track("vide", "avc1")), "a.m4b")).toBe(
      "The file is a film, not an M4B audiobook. Audio books have sound, and no moving pictures.",
    );
  });

  it("with damaged boxes gives a result", async () => {
    const whole = file(SOUND, track("vide", "avc1"));
    for (let at = 24; at < whole.length - 4; at += 1) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, at, at + 4);
      expect(await identify(bytes, "a.m4b")).toMatch(/^(?:m4b|The file is a film)/);
    }
  });
});

describe("an MPEG-4 file", () => {
  const box = (type: string, ...parts: Buffer[]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0));
    head.write(type, 4, "latin1");
    return Buffer.concat([head, ...parts]);
  };
  const track = (kind: string) => {
    const handler = box("hdlr", Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13));
    return box("trak", box("mdia", handler, box("minf", box("stbl"))));
  };
  const movie = (brand: string, ...kinds: string[]) =>
    Buffer.concat([box("ftyp", Buffer.from(`${brand}\0\0\0\0${brand}`)), box("moov", ...kinds.map(track))]);

  it.each(["M4B ", "isom", "qt  ", "3gp4", "3g2a", "F4A ", "M4V "])(
    "of the brand %s is an audio book if it has sound, and a film if it has pictures, too",
    async (brand) => {
      expect(await identify(movie(brand, "soun"), "a.m4b")).toBe("m4b");
      expect(await identify(movie(brand, "soun", "vide"), "a.m4b")).toMatch(/^The file is a film, /);
    },
  );
});

it("a damaged archive isn't called something other than an archive", async () => {
  const bytes = (await zipOf({ "a.txt": "a" })).subarray(0, 40);
  expect(await identify(bytes, "a.zip")).toMatch(/^The file is a damaged ZIP archive\. /);
});
