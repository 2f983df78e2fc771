/** Each type by a tiny sample of its own, every sample under every type, and what must be refused. */
import { open, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findObjection, identifyFile, recogniseContent } from "../../src/adapters/file-types/recognise.ts";
import { FILE_TYPES, type FileType } from "../../src/schemas/file-types.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";

const { path: folder, remove } = temporaryFolder("file-type");
let written = 0;
afterAll(remove);

async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(folder, String(written++));
  await writeFile(path, content);
  return path;
}
const recognise = async (path: string) =>
  recogniseContent({ sizeBytes: (await stat(path)).size, open: () => open(path) });
const checkFileType = async (path: string, claimed: FileType) =>
  findObjection(await recognise(path), claimed);
const identify = async (path: string, name: string) => identifyFile(await recognise(path), name);
const check = async (content: Buffer | string, claimed: FileType) =>
  checkFileType(await fileOf(content), claimed);
const detect = async (content: Buffer | string, name: string) => {
  const identified = await identify(await fileOf(content), name);
  return identified.objection === undefined ? identified.fileType : undefined;
};

interface Entry {
  name: string;
  content?: Buffer | string;
  deflated?: boolean;
  /** In the directory alone, so that it contradicts the entry's own header. */
  listedAs?: string;
}

/** A ZIP archive, written by the book (APPNOTE 4.3), behind `prefix` bytes that its offsets may ignore. */
function zip(entries: Entry[], { comment = "", zip64 = "none", shift = 0 } = {}): Buffer {
  const needed = zip64 === "needed";
  const locals: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = shift;
  for (const { name, content = "", deflated = false, listedAs = name } of entries) {
    const plain = Buffer.from(content);
    const stored = deflated ? deflateRawSync(plain) : plain;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(deflated ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(stored.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), stored]);
    fields.writeUInt16LE(Buffer.byteLength(listedAs), 22);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    listed.push(Buffer.from("PK\x01\x02\x14\x00"), fields, more, Buffer.from(listedAs));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(needed ? 0xffff : entries.length, 8);
  end.writeUInt16LE(needed ? 0xffff : entries.length, 10);
  end.writeUInt32LE(needed ? 0xffffffff : directory.length, 12);
  end.writeUInt32LE(needed ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const zip64End =
    zip64 === "none" ? Buffer.alloc(0) : zip64Records(entries.length, directory.length, offset);
  return Buffer.concat([...locals, directory, zip64End, end, Buffer.from(comment)]);
}

function zip64Records(count: number, directoryBytes: number, offset: number): Buffer {
  const records = Buffer.alloc(76);
  records.write("PK\x06\x06", 0, "latin1");
  records.writeBigUInt64LE(BigInt(count), 32);
  records.writeBigUInt64LE(BigInt(directoryBytes), 40);
  records.writeBigUInt64LE(BigInt(offset), 48);
  records.write("PK\x06\x07", 56, "latin1");
  records.writeBigUInt64LE(BigInt(offset + directoryBytes), 64);
  return records;
}

const MIMETYPE = { name: "mimetype", content: "application/epub+zip" };
const CONTAINER = { name: "META-INF/container.xml", content: "<container/>" };
const ODT_MIMETYPE = { name: "mimetype", content: "application/vnd.oasis.opendocument.text" };
const CONTENT_TYPES = { name: "[Content_Types].xml", content: "<Types/>", deflated: true };
const at = (offset: number, text: string, length = 512) => {
  const bytes = Buffer.alloc(length);
  bytes.write(text, offset, "latin1");
  return bytes;
};
const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000000020001e221bc330000000049454e44ae426082",
  "hex",
);
/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: two frames of silence. */
const MP3_FRAMES = Buffer.concat([1, 2].map(() => at(0, "\xff\xfb\x90\x64", 417)));
const id3 = (tagBytes: number) =>
  Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...[21, 14, 7, 0].map((bits) => (tagBytes >> bits) & 0x7f)]);
const MP3 = Buffer.concat([id3(200_000), Buffer.alloc(200_000), MP3_FRAMES]);
const PDF = "%PDF-1.7\n%\xe2\xe3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

const SAMPLES: Record<FileType, Buffer | string> = {
  pdf: PDF,
  epub: zip([MIMETYPE, CONTAINER]),
  kepub: zip([MIMETYPE, CONTAINER]),
  mobi: at(60, "BOOKMOBI"),
  azw3: at(60, "BOOKMOBI"),
  fb2: '<?xml version="1.0" encoding="utf-8"?>\n<FictionBook xmlns="x"><body/></FictionBook>',
  djvu: at(0, "AT&TFORM\0\0\0\x20DJVMDIRM"),
  docx: zip([CONTENT_TYPES, { name: "word/document.xml", content: "<w/>", deflated: true }]),
  odt: zip([ODT_MIMETYPE, { name: "content.xml", content: "<office/>", deflated: true }]),
  rtf: "{\\rtf1\\ansi A book.}",
  txt: "A book — книга — 書\r\n",
  html: "<!DOCTYPE html><title>A book</title>",
  cbz: zip([{ name: "01.png", content: PNG }]),
  zip: zip([{ name: "a.txt", content: "a" }]),
  mp3: MP3,
  m4b: at(4, "ftypM4B \0\0\0\0"),
};
const EQUALS: FileType[][] = [
  ["epub", "kepub"],
  ["mobi", "azw3"],
  ["zip", "cbz"],
];
const equalsOf = (fileType: FileType) => EQUALS.find((types) => types.includes(fileType)) ?? [fileType];

describe("every sample under every type", () => {
  it.each(FILE_TYPES)("%s matches its own type and equivalent ones, and nothing else", async (fileType) => {
    const path = await fileOf(SAMPLES[fileType]);
    for (const claimed of FILE_TYPES) {
      const refusal = await checkFileType(path, claimed);
      if (equalsOf(fileType).includes(claimed)) expect(refusal, claimed).toBeUndefined();
      else expect(refusal, claimed).toMatch(/^The file is (an? .+|plain text), not .+\.$/);
    }
  });

  it.each(FILE_TYPES)("%s is detected, with and without its name", async (fileType) => {
    const path = await fileOf(SAMPLES[fileType]);
    expect(await identify(path, `Book.${fileType}`)).toEqual({ fileType });
    expect(await identify(path, "Book")).toEqual({ fileType: equalsOf(fileType)[0] });
    const [other, name] = fileType === "pdf" ? ["epub", "an EPUB book"] : ["pdf", "a PDF document"];
    const { objection } = await identify(path, `Book.${other}`);
    expect(objection).toMatch(new RegExp(`^The file is .+, not ${name}\\.$`));
  });
});

describe("a file of another type than declared", () => {
  it("is rejected in a sentence", async () => {
    expect(await check(PNG, "epub")).toBe("The file is of type image/png, not an EPUB book.");
    expect(await check("", "txt")).toBe("The file is empty, not plain text.");
  });

  const UNKNOWN = "of an unknown type";
  it.each<[string, Buffer | string, FileType, string]>([
    ["a JPEG", at(0, "\xff\xd8\xff\xe0\0\x10JFIF\0"), "pdf", "of type image/jpeg"],
    ["a RAR comic", at(0, "Rar!\x1a\x07\x01\0"), "cbz", "of type application/x-rar-compressed"],
    ["a Windows program", at(0, "MZ\x90\0\x03"), "pdf", "of type application/x-msdownload"],
    ["a Linux program", at(0, "\x7fELF\x02\x01\x01"), "txt", "of type application/x-elf"],
    ["a gzip", gzipSync("text"), "txt", "of type application/gzip"],
    ["a film", at(4, "ftypM4V "), "m4b", "of type video/x-m4v"],
    ["an AVIF", at(4, "ftypavif"), "m4b", "of type image/avif"],
    ["junk", at(9, "\x01\x02\xfe"), "mobi", UNKNOWN],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "txt", "an SVG image"],
    ["SVG, prolog", '<?xml?><!-- a --><!DOCTYPE svg PUBLIC "x"><svg/>', "html", "an SVG image"],
    ["HTML", " \n<HTML><script>", "txt", "an HTML document"],
    ["a script element", "\ufeff<script>alert(1)</script>", "txt", "an HTML document"],
    ["XML", "<?xml version='1.0'?><book/>", "fb2", "an XML document or a piece of markup"],
    ["a shell script", "#!/bin/sh\nrm -r /", "txt", "a script"],
    ["a GIF of letters", "GIF89a=1;alert(1)", "txt", "a GIF image"],
    ["HTML before a PDF", `<html><script>x</script>${PDF}`, "pdf", "an HTML document"],
    ["a picture before a PDF", Buffer.concat([PNG, Buffer.from(PDF)]), "pdf", "of type image/png"],
    ["HTML before a MOBI", at(0, `<script>${" ".repeat(52)}BOOKMOBI`), "mobi", UNKNOWN],
    [
      "a PDF after 2 KiB",
      Buffer.concat([Buffer.alloc(2048, "\xff\x00", "latin1"), Buffer.from(PDF)]),
      "pdf",
      UNKNOWN,
    ],
    ["text about PDF", "It begins with %PDF-1.7, and so on.", "pdf", "plain text"],
    ["a picture after a tag", Buffer.concat([id3(16), Buffer.alloc(16), PNG]), "mp3", UNKNOWN],
    ["a tag longer than the file", Buffer.concat([id3(90_000), Buffer.alloc(70_000)]), "mp3", UNKNOWN],
  ])("%s", async (_what, content, claimed, found) => {
    expect((await check(content, claimed))?.split(", not ")[0]).toBe(`The file is ${found}`);
    expect(await detect(content, `Book.${claimed}`)).not.toBe(claimed);
  });

  it("can be a book with a ZIP archive at its end, which is rejected as ambiguous", async () => {
    const pdf = Buffer.from(PDF);
    const archive = [{ name: "run.js", content: "x" }];
    const comments = ["%%EOF", "PK\x05\x06 in a comment hides nothing"];
    for (const [shift, comment] of [0, pdf.length].flatMap((shift) =>
      comments.map((text) => [shift, text] as const),
    )) {
      const both = Buffer.concat([pdf, zip(archive, { shift, comment })]);
      expect(await check(both, "pdf")).toBe(
        "The file is a PDF document and a ZIP archive at once, not a PDF document.",
      );
      expect(await check(both, "zip")).toContain("at once");
      expect(await detect(both, "a.pdf")).toBeUndefined();
    }
  });
});

describe("ZIP archives", () => {
  const patched = (mark: string, offset: number, bytes: string, zip64 = "needed") => {
    const archive = zip([MIMETYPE], { zip64 });
    archive.write(bytes, archive.indexOf(mark, "latin1") + offset, "latin1");
    return archive;
  };
  const fewer = zip([MIMETYPE, CONTAINER]);
  fewer.writeUInt16LE(1, fewer.length - 12);
  const DAMAGED =
    "The file is a damaged ZIP archive, not an EPUB book. It may be incomplete: copy it again from its source.";

  it.each<[string, Buffer, string | undefined]>([
    [
      "a line end after the type",
      zip([{ ...MIMETYPE, content: "application/epub+zip\r\n" }, CONTAINER]),
      undefined,
    ],
    ["ZIP64 where none is needed", zip([MIMETYPE, CONTAINER], { zip64: "spare" }), undefined],
    ["ZIP64 and a comment", zip([MIMETYPE, CONTAINER], { zip64: "needed", comment: "PK" }), undefined],
    ["mimetype second", zip([CONTAINER, MIMETYPE]), undefined],
    ["mimetype deflated", zip([{ ...MIMETYPE, deflated: true }, CONTAINER]), undefined],
    ["no mimetype, a package", zip([CONTAINER, { name: "OPS/book.OPF" }]), undefined],
    ["no mimetype, backslashes", zip([{ name: "meta-inf\\container.xml" }, { name: "x\\p.opf" }]), undefined],
    [
      "another mimetype, a package",
      zip([{ ...MIMETYPE, content: "text/plain" }, CONTAINER, { name: "p.opf" }]),
      undefined,
    ],
    ["no mimetype and no package", zip([CONTAINER]), "The file is a ZIP archive, not an EPUB book."],
    [
      "a directory that contradicts",
      zip([{ name: "x", content: MIMETYPE.content, listedAs: "mimetype" }]),
      DAMAGED,
    ],
    ["offsets of an archive after another", zip([MIMETYPE], { shift: 9 }), DAMAGED],
    ["two archives, the second unaware", Buffer.concat([zip([MIMETYPE]), zip([MIMETYPE])]), DAMAGED],
    ["a directory with something else in it", patched("PK\x01\x02", 0, "PK\x01\x03"), DAMAGED],
    ["the end of the directory beyond the file", patched("PK\x06\x07", 8, "\xff".repeat(8)), DAMAGED],
    ["a directory beyond the file", patched("PK\x06\x06", 48, "\xff".repeat(8)), DAMAGED],
    ["2^64 entries announced", patched("PK\x06\x06", 32, "\xff".repeat(8)), DAMAGED],
    ["more entries announced than there are", patched("PK\x05\x06", 10, "\x02", "none"), DAMAGED],
    ["an entry beyond the file", patched("PK\x01\x02", 42, "\xfe".repeat(4)), DAMAGED],
    ["data beyond the file", patched("PK\x01\x02", 20, "\xfe\xfe\xfe\x00".repeat(2)), DAMAGED],
    ["fewer entries announced than there are", fewer, DAMAGED],
    ["bytes after the archive", Buffer.concat([zip([MIMETYPE, CONTAINER]), Buffer.from("x")]), DAMAGED],
    ["cut off", zip([MIMETYPE, CONTAINER]).subarray(0, -30), DAMAGED],
    ["four bytes", Buffer.from("PK\x03\x04"), DAMAGED],
    ["empty", zip([]), "The file is an empty ZIP archive, not an EPUB book."],
  ])("EPUB: %s", async (_what, content, expected) => {
    expect(await check(content, "epub")).toBe(expected);
    if (expected) expect(await detect(content, "Book.epub")).toBeUndefined();
  });

  it.each<[string, Entry[], FileType]>([
    [
      "Word document with macros",
      [CONTENT_TYPES, { name: "word/document.xml" }, { name: "word/vbaProject.bin" }],
      "docx",
    ],
    ["workbook", [CONTENT_TYPES, { name: "xl/workbook.xml" }], "docx"],
    ["program", [{ name: "META-INF/MANIFEST.MF" }], "zip"],
    [
      "document of another kind",
      [{ name: "mimetype", content: "application/vnd.oasis.opendocument.graphics" }],
      "odt",
    ],
  ])("rejects a %s", async (name, entries, claimed) => {
    expect(await check(zip(entries), claimed)).toContain(`The file is a ${name}`);
  });

  it("accept a directory larger than the read window", async () => {
    const many = zip(
      Array.from({ length: 12_000 }, (_, page) => ({ name: `${"page".repeat(20)}${page}.png` })),
    );
    expect(await check(many, "cbz")).toBeUndefined();
  });

  it("with any changed or missing bytes give a result, never an exception", async () => {
    const whole = zip([MIMETYPE, CONTAINER], { zip64: "needed" });
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
      maxLength: 8,
    });
    const path = await fileOf("");
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(whole.length), async (places, end) => {
        const bytes = Buffer.from(whole);
        for (const [place, byte] of places) bytes[place] = byte;
        await writeFile(path, bytes.subarray(0, end));
        expect(["string", "undefined"]).toContain(typeof (await checkFileType(path, "epub")));
      }),
      { numRuns: 300 },
    );
  });
});

describe("text", () => {
  const utf16 = (text: string, bigEndian = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return bigEndian ? bytes.swap16() : bytes;
  };
  const TOO_BINARY = "The file is of an unknown type, not plain text.";
  const CUT =
    /^The file is text in UTF-(8|16) that ends within a letter, not plain text\. It may be incomplete/;
  const WINDOW = 64 * 1024;

  it.each<[string, Buffer | string]>([
    ["UTF-16, little endian", utf16("Книга 😀")],
    ["UTF-16, big endian", utf16("Книга 😀", true)],
    ["a byte order mark", "\ufeffA book"],
    ["words that begin like a BMP, a DMG, an MP2 stream", `BMW ${"G".repeat(300)}`],
    ["an angle bracket", "<<< Chapter 1 >>>"],
    ...[0, 1, 2, 3].map((cut): [string, string] => [
      `😀 across the windows' edges (${cut})`,
      "x".repeat(cut) + "😀".repeat(50_000),
    ]),
    ["one byte after the window", `${"x".repeat(WINDOW - 1)}é`],
    ["UTF-16 across the windows' edges", utf16(`${"😀".repeat(50_000)}x`)],
  ])("accepts %s", async (_what, content) => {
    expect(await check(content, "txt")).toBeUndefined();
  });

  const older = (bytes: string, times = 1) => Buffer.from(bytes.repeat(times), "latin1");
  it.each<[string, Buffer | string]>([
    ["Latin-1", older("Caf\xe9 au lait")],
    ["windows-1251", older("\xca\xed\xe8\xe3\xe0 \xee \xe1\xe5\xe4\xed\xfb\xf5.\r\n", 5000)],
    ["Shift_JIS", older("\x82\xa0\x82\xa2\x82\xa4\r\n", 20)],
    ["ISO-2022-JP", older("\x1b$B$3$s\x1b(B.\r\n", 20)],
    ["ASCII with one older letter behind the window", older(`${"x".repeat(100_000)}caf\xe9.`)],
    ["Ctrl-Z at its end", "A tale.\r\n\x1a"],
    ["a block of CP/M", `A tale.\r\n${"\x1a".repeat(80)}`],
    ["Ctrl-Z and NUL at the end of a long file", `${"x".repeat(300_000)}\r\n\x1a\0\0`],
    ["UTF-16 without a mark, little endian", utf16("A tale of two harbours.\r\n".repeat(9)).subarray(2)],
    ["UTF-16 without a mark, big endian", utf16("Книга о гавани.\r\n".repeat(9), true).subarray(2)],
    ["a title in angle brackets", "<The Harbour> by Ida Marek\n\nOnce upon a time.\n"],
    ["an element of HTML", "<i>The Harbour</i>\n\nOnce upon a time.\n"],
    ["a comment", "<!-- typed by hand -->\nOnce upon a time.\n"],
  ])("accepts %s", async (_what, content) => {
    expect(await check(content, "txt")).toBeUndefined();
  });

  it.each<[string, Buffer, string | RegExp]>([
    ["NUL", Buffer.from("A\0book"), TOO_BINARY],
    ["control characters", Buffer.from("A\x02book"), TOO_BINARY],
    ["control characters beside older letters", older("caf\xe9 \x01"), TOO_BINARY],
    ["Ctrl-Z in the middle", Buffer.from("A\x1abook"), TOO_BINARY],
    ["half a character at the end", Buffer.from("Café").subarray(0, -1), CUT],
    ["UTF-16 with half a unit", utf16("Книга").subarray(0, -1), CUT],
    ["UTF-16, long, with half a unit", utf16("x".repeat(200_000)).subarray(0, -1), CUT],
    ["UTF-16 with half a pair", Buffer.concat([utf16("a"), Buffer.from([0x3d, 0xd8])]), TOO_BINARY],
    [
      "NUL at the end of a long file",
      Buffer.concat([Buffer.alloc(300_000, "x"), Buffer.from("\0")]),
      TOO_BINARY,
    ],
    [
      "half a character at the end of a long file",
      Buffer.concat([Buffer.alloc(300_000, "x"), Buffer.from([0xc3])]),
      CUT,
    ],
  ])("rejects %s", async (_what, content, reason) => {
    expect(await check(content, "txt")).toEqual(
      reason instanceof RegExp ? expect.stringMatching(reason) : reason,
    );
  });

  it.each([
    "<pre>",
    "<ul><li>",
    "<span>",
    "<nav>",
    "<blockquote>",
    "<hr>",
    "</p>",
    "Chapter 1 <b>",
    "<!-- a -->\n<dl>",
  ])("of HTML can begin with %s, and then its name decides", async (start) => {
    const page = `${start} One <p>Two`;
    expect(await check(page, "html")).toBeUndefined();
    expect(await check(page, "txt")).toBeUndefined();
  });

  it("of FB2 and HTML can declare an older encoding, and begin with a prolog", async () => {
    const cyrillic = Buffer.from("\xca\xed\xe8\xe3\xe0", "latin1");
    const fb2 = Buffer.concat([
      Buffer.from(
        '<?xml version="1.0" encoding="windows-1251"?>\n<!-- a --><?style b?>\n<fb:FictionBook xmlns:fb="x">',
      ),
      cyrillic,
    ]);
    expect(await check(fb2, "fb2")).toBeUndefined();
    expect(
      await check(utf16('<?xml version="1.0" encoding="utf-16"?><FictionBook/>', true), "fb2"),
    ).toBeUndefined();
    const html = Buffer.concat([Buffer.from('<html><meta charset="windows-1251">'), cyrillic]);
    expect(await check(html, "html")).toBeUndefined();
    const japanese = Buffer.from(`<html><meta charset=shift_jis>\n${"\x82\xa0".repeat(50_000)}`, "latin1");
    expect(await check(japanese, "html")).toBeUndefined();
    expect(await check(Buffer.concat([html, Buffer.from("\0")]), "html")).toMatch(/unknown type/);
    expect(await check(Buffer.concat([Buffer.from("<html>"), cyrillic]), "html")).toBeUndefined();
    const late = `<html><!-- ${" ".repeat(3000)} --><meta charset="windows-1251">`;
    expect(await check(Buffer.concat([Buffer.from(late), cyrillic]), "html")).toBeUndefined();
    const xhtml = '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">\n<html/>';
    expect(await check(xhtml, "html")).toBeUndefined();
  });
});

it("MP3 without a tag, and with padding before the first frame", async () => {
  expect(await check(MP3_FRAMES, "mp3")).toBeUndefined();
  expect(await check(Buffer.concat([id3(16), Buffer.alloc(2016), MP3_FRAMES]), "mp3")).toBeUndefined();
});

it("a missing file is an error of the caller", async () => {
  await expect(checkFileType(join(folder, "missing"), "pdf")).rejects.toMatchObject({ code: "ENOENT" });
});
