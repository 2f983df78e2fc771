import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import {
  encodeMultipart,
  encodeUnfinished,
  field,
  filePart,
  MULTIPART,
  type Part,
} from "../support/multipart.ts";
import { createEpub, createPdf, createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase } from "../support/test-database.ts";

/** A book in Spanish and Arabic, and ways to send it files. */
async function start() {
  // A folder of its own around it, where nothing else should ever be.
  const around = createTempFolder();
  const dataDir = join(around, "data");
  addDatabase(dataDir);
  const { app, client } = await startWithAdmin({}, { dataDir });
  for (const code of ["es", "ar"]) await app.make.language(code);
  const book = await app.make.book("Well");
  const path = `/api/admin/books/${book.id}/files`;
  const send = (body: Buffer, method: "post" | "put" = "post", to = path) =>
    client.call(method, to, { headers: MULTIPART, body });
  const upload = (content: Buffer, name: string, ...fields: Part[]) =>
    send(encodeMultipart(field("languageCode", "es"), ...fields, filePart(content, name)));
  const files = async () => (await client.get(path)).body.files;
  const stored = (...contents: Buffer[]) => expectStored(app.dataDir, ...contents);
  return { ...app, around, client, book, path, send, upload, files, stored };
}

const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000000020001e221bc330000000049454e44ae426082",
  "hex",
);

/** The signature of a Word document before 2007. */
const OLD_WORD = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(504)]);

describe("uploading a file", () => {
  it("returns the file, and stores its bytes under their hash", async () => {
    const { client, path, files, stored } = await start();
    const bytes = await createEpub("Well");
    const response = await client.upload("post", path, {
      fields: { languageCode: "ES", fileType: "epub" },
      file: { bytes, name: "Pozo.epub" },
    });
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${path}/${response.body.id}`);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      languageId: 1,
      languageCode: "es",
      fileType: "epub",
      sourceType: "local",
      fileName: "Pozo.epub",
      fileSizeBytes: bytes.length,
      downloadCount: 0,
      isActive: 1,
      sha256: hashBytes(bytes),
      cloudUrl: null,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: expect.any(String),
      replaced: [],
      remarks: [{ code: "language_differs", found: "en", expected: "es" }],
    });
    expect(await files()).toEqual([response.body]);
    await stored(bytes);
  });

  it("names both types of body where it takes no bare bytes", async () => {
    const { client, path } = await start();
    for (const type of ["text/plain", "application/pdf", "application/octet-stream"]) {
      const response = await client.call("post", path, { headers: { "Content-Type": type }, body: "bytes" });
      expectProblem(response, 415, { code: "unsupported_media_type" });
      expect(response.body.detail).toBe("The body must be multipart/form-data or application/json.");
    }
  });

  it("detects the type by the content if none is given", async () => {
    const { upload, stored } = await start();
    const book = await createEpub("Well");
    const cases: [Buffer, string, string][] = [
      [createPdf("a"), "book", "pdf"],
      [book, "book.v2", "epub"],
      [book, "book.KEPUB.EPUB", "kepub"],
      [createTxt("plain"), "a.text", "txt"],
      [createTxt("<!DOCTYPE html><title>A</title>"), "a.XHTML", "html"],
    ];
    for (const [content, name, fileType] of cases) {
      expect((await upload(content, name)).body, name).toMatchObject({ fileType, fileName: name });
    }
    await stored(...cases.map(([content]) => content));
  });

  it("rejects content of another type than the given one, or of an unknown type", async () => {
    const { upload, files, stored } = await start();
    const claimed = async (content: Buffer, name: string, fileType: string) =>
      expectProblem(await upload(content, name, field("fileType", fileType)), 415, {
        code: "wrong_file_type",
      });
    await claimed(createTxt("text"), "a.pdf", "pdf");
    await claimed(createPdf("a"), "a.epub", "epub");
    await claimed(await createEpub("Well"), "a.epub", "txt");
    await claimed(createTxt("<!DOCTYPE html><script>alert(1)</script>"), "a", "txt");
    await claimed(Buffer.concat([createPdf("a"), await createEpub("Well")]), "both.pdf", "pdf");
    const svg = createTxt('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    for (const content of [PNG, Buffer.from("MZ\x90\0\x03"), Buffer.from([0, 1, 2, 3]), svg]) {
      expectProblem(await upload(content, "a.pdf"), 415, { code: "unknown_file_type" });
    }
    expect(await files()).toEqual([]);
    await stored();
  });

  it("reports the detected type, as an import does, and the accepted types", async () => {
    const { upload } = await start();
    const book = await createEpub("Well");
    const accepted =
      "pdf, epub, mobi, azw3, kepub, fb2, djvu, docx, odt, rtf, txt, html, cbz, mp3, m4b and zip";
    for (const [content, name, detail] of [
      [
        book.subarray(0, -40),
        "well.epub",
        "The file is a damaged ZIP archive, not an EPUB book. It may be incomplete: copy it again from its source.",
      ],
      [PNG, "well.pdf", "The file is of type image/png, not a PDF document."],
      [OLD_WORD, "well.doc", `The file is of type application/x-cfb. The accepted types are ${accepted}.`],
    ] as const) {
      const response = await upload(content, name);
      expectProblem(response, 415, { code: "unknown_file_type" });
      expect(response.body.detail).toBe(detail);
    }
  });

  it("rejects content of another type than its name has", async () => {
    const { upload, files, stored } = await start();
    const html = createTxt("<!DOCTYPE html><script>alert(1)</script>");
    for (const [content, name, ...fields] of [
      [createPdf("a"), "book.epub"],
      [createTxt("plain"), "book.pdf"],
      [html, "book.txt"],
      [await createEpub("Well"), "../book.cbz\u202E"],
      [createTxt("plain"), "book.epub", field("fileType", "txt")],
    ] as const) {
      expectProblem(await upload(content, name, ...fields), 415, { code: "wrong_file_type" });
    }
    expect(await files()).toEqual([]);
    await stored();
  });

  it("rejects an empty file", async () => {
    const { client, upload, path, make, book, stored } = await start();
    expectProblem(await upload(Buffer.alloc(0), "a.txt"), 400, { code: "file_empty" });
    await stored();
    const { id } = await make.textFile(book.id, "es", "text");
    const empty = encodeMultipart(filePart("", "a.txt"));
    expectProblem(await client.call("put", `${path}/${id}`, { headers: MULTIPART, body: empty }), 400);
    const raw = { headers: { "Content-Type": "application/octet-stream" }, body: Buffer.alloc(0) };
    expectProblem(await client.call("put", `${path}/${id}`, raw), 400, { code: "file_empty" });
    await stored(createTxt("text"));
  });

  it("reports all errors of the form", async () => {
    const { send, files, stored } = await start();
    const errors = async (body: Buffer, ...expected: string[]) =>
      expectProblem(await send(body), 400, { errors: expected });
    await errors(encodeMultipart(), "languageCode invalid_type", "file missing");
    await errors(
      encodeMultipart(
        field("languageCode", "spanish"),
        field("fileType", "exe"),
        field("isActive", "1"),
        filePart("text"),
      ),
      "languageCode invalid_language_code",
      "fileType invalid_value",
      "isActive unknown_field",
    );
    await errors(
      encodeMultipart(field("languageCode", "fr"), filePart("text")),
      "languageCode unknown_language",
    );
    await errors(
      encodeMultipart(field("languageCode", "es"), field("file", "text")),
      "file unknown_field",
      "file missing",
    );
    await errors(encodeMultipart(field("languageCode", "es"), filePart("text", "")), "file missing");
    await errors(
      encodeMultipart(field("languageCode", "es"), field("languageCode", "ar"), filePart("text")),
      "languageCode invalid_type",
    );
    expect(await files()).toEqual([]);
    await stored();
  });

  it("accepts a form with its parts in any order, from any client", async () => {
    const { send, stored } = await start();
    const preamble = Buffer.from("This is a message with multiple parts.\r\n");
    const late = encodeMultipart(filePart("file first"), field("languageCode", "es"));
    const response = await send(Buffer.concat([preamble, late, Buffer.from("epilogue")]));
    expect([response.status, response.body.languageCode]).toEqual([201, "es"]);
    await stored(createTxt("file first"));
  });
});

describe("the names of uploads", () => {
  it("are stored in any script", async () => {
    const { upload, stored } = await start();
    const names = [
      "كتاب البئر.txt",
      "ཁྲོན་པ།.txt",
      "गहरा कुआँ.txt",
      "深井 第1巻.txt",
      "👩‍👩‍👧‍👦 📚.txt",
      "50% “off” #1;a=b.txt",
    ];
    for (const name of [...names, "e\u0301te\u0301.txt"]) {
      expect((await upload(createTxt(name), name)).body.fileName).toBe(name.normalize("NFC"));
    }
    await stored(...names.map(createTxt), createTxt("e\u0301te\u0301.txt"));
  });

  it("with a NUL make the form malformed", async () => {
    const { upload, files, stored } = await start();
    expectProblem(await upload(createTxt("text"), "a\0b.txt"), 400);
    expect(await files()).toEqual([]);
    await stored();
  });
});

describe("malformed forms", () => {
  it("are rejected, leave nothing, and don't affect later requests", async () => {
    const { client, path, send, files, stored } = await start();
    const language = field("languageCode", "es");
    const whole = encodeMultipart(language, filePart("x".repeat(100_000)));
    const nested = encodeMultipart({
      disposition: 'name="file"; filename="a.txt"',
      headers: ["Content-Type: multipart/mixed; boundary=inner"],
      content: '--inner\r\nContent-Disposition: file; filename="b.txt"\r\n\r\ntext\r\n--inner--',
    });
    const many = Array.from({ length: 21 }, (_, index) => field(`field${index}`, "x"));
    const cases: [string, Buffer][] = [
      ["cut off in the file", whole.subarray(0, 50_000)],
      ["cut off before the end mark", encodeUnfinished(language, filePart("text"))],
      ["cut off in a header", whole.subarray(0, 40)],
      ["nothing at all", Buffer.alloc(0)],
      ["no boundary inside", Buffer.from("just text")],
      ["bare line feeds", Buffer.from(whole.toString("latin1").replaceAll("\r\n", "\n"), "latin1")],
      ["a part in the part", nested],
      ["two files", encodeMultipart(language, filePart("one"), filePart("two"))],
      ["a file under another name", encodeMultipart(language, filePart("text", "a.txt", "upload"))],
      ["a file in brackets", encodeMultipart(language, filePart("text", "a.txt", "file[0]"))],
      ["too many fields", encodeMultipart(language, ...many, filePart("text"))],
      ["a long field", encodeMultipart(field("languageCode", "e".repeat(70_000)), filePart("text"))],
      ["a long field name", encodeMultipart(language, field("f".repeat(5000), "x"), filePart("text"))],
      ["a long header", encodeMultipart(language, filePart("text", "n".repeat(100_000)))],
      ["no name", encodeMultipart(language, { disposition: 'filename="a.txt"', content: "text" })],
      ["a nested field", encodeMultipart(field("languageCode[a][b]", "es"), filePart("text"))],
      ["__proto__", encodeMultipart(language, field("__proto__[isActive]", "0"), filePart("text"))],
    ];
    for (const [what, body] of cases) {
      const response = await send(body);
      expect([response.status, what]).toEqual([400, what]);
      // What was taken in goes as soon as it is closed, which may be after the response.
      await eventually(() => stored());
    }
    for (const type of [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"b".repeat(5000)}`,
    ]) {
      const response = await client.call("post", path, { headers: { "Content-Type": type }, body: whole });
      expect([response.status, type.slice(0, 40)]).toEqual([400, type.slice(0, 40)]);
    }
    for (const type of [
      "multipart/mixed; boundary=x",
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/pdf",
    ]) {
      const response = await client.call("post", path, { headers: { "Content-Type": type }, body: whole });
      expect([response.status, type]).toEqual([415, type]);
    }
    expect(await files()).toEqual([]);
    await stored();
    expect((await send(whole)).status).toBe(201);
    await stored(createTxt("x".repeat(100_000)));
  });

  it("are aborted as soon as they contain more than any valid form", async () => {
    const { send, stored } = await start();
    const language = field("languageCode", "es");
    const many = Array.from({ length: 21 }, (_, index) => field(`field${index}`, "x"));
    for (const body of [
      encodeMultipart(language, filePart("one"), filePart("two")),
      encodeMultipart(...many),
      encodeMultipart(field("languageCode", "e".repeat(70_000))),
      encodeMultipart(field("f".repeat(101), "x")),
    ]) {
      expectProblem(await send(body), 400, { code: "malformed_multipart" });
      await eventually(() => stored());
    }
  });
});

describe("names in a form", () => {
  it.each([
    ["UTF-8", Buffer.from("Pozo ñandú.txt"), "Pozo ñandú.txt"],
    ["the encoding of an older program", Buffer.from("Pozo \xf1and\xfa.txt", "latin1"), "Pozo ñandú.txt"],
    ["an encoding of Russian", Buffer.from("\xca\xee\xeb\xee\xe4\xe5\xf6.txt", "latin1"), "Колодец.txt"],
  ])("are read in %s", async (_, name, fileName) => {
    const { send } = await start();
    const form = encodeMultipart(field("languageCode", "es"), filePart("x", "NAME"));
    const at = form.indexOf("NAME");
    const body = Buffer.concat([form.subarray(0, at), name, form.subarray(at + 4)]);
    const response = await send(body);
    expect([response.status, response.body.fileName]).toEqual([201, fileName]);
  });

  it("are shown as they were written", async () => {
    const { send } = await start();
    const unknown = await send(
      encodeMultipart(field("languageCode", "es"), field("año", "1"), filePart("x")),
    );
    expectProblem(unknown, 400, { errors: ["año unknown_field"] });
    const other = await send(encodeMultipart(filePart("x", "a.txt", "año")));
    expectProblem(other, 400, { errors: ["año limit_unexpected_file"] });
  });
});
