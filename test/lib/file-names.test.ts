/** File names: safe to show and to unpack, and readable in every script. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanFileName, downloadName, type NamedEntry, zipEntryNames } from "../../src/lib/file-names.ts";
import { anyText } from "../support/any-text.ts";

const wildText = fc.oneof(
  anyText,
  fc.string({
    unit: fc.constantFrom("..", "/", "\\", ".", " ", "\0", "\r\n", "\u202E", "\uD800", "é", "😀", "a"),
  }),
);
const bytes = (text: string): number => Buffer.byteLength(text);
const FORBIDDEN_ANYWHERE = /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\]/u;

describe("cleanFileName", () => {
  it.each([
    ["Book.pdf", "Book.pdf"],
    ["../../etc/passwd", "passwd"],
    ["/absolute/path/book.epub", "book.epub"],
    ["C:\\Users\\Ann\\book.epub", "book.epub"],
    ["a\0b.pdf", "ab.pdf"],
    ["a\r\nb.pdf", "a b.pdf"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe"],
    ["half\uD83D.pdf", "half.pdf"],
    ["...hidden.pdf", "hidden.pdf"],
    ["  spaced name .pdf  ", "spaced name .pdf"],
    ["e\u0301te\u0301.pdf", "été.pdf"],
    ["archive.tar.gz", "archive.tar.gz"],
    ["کتاب\u200cها.pdf", "کتاب\u200cها.pdf"],
    ["བོད་ཡིག.epub", "བོད་ཡིག.epub"],
    ["हिन्दी पुस्तक.pdf", "हिन्दी पुस्तक.pdf"],
    ["圣经.pdf", "圣经.pdf"],
    ["👨‍👩‍👧.pdf", "👨‍👩‍👧.pdf"],
  ])("%j becomes %j", (name, clean) => {
    expect(cleanFileName(name, "file")).toBe(clean);
  });

  it.each(["", ".", "..", "../", "\0", " . ", "a/b/", "\u202E", "\uD800"])(
    "%j becomes the fallback, since nothing is left",
    (name) => {
      expect(cleanFileName(name, "book.pdf")).toBe("book.pdf");
    },
  );

  it("cuts 5,000 characters to 200 bytes and keeps the extension", () => {
    expect(cleanFileName(`${"a".repeat(5000)}.pdf`, "file")).toBe(`${"a".repeat(196)}.pdf`);
    expect(cleanFileName(`${"é".repeat(5000)}.epub`, "file")).toBe(`${"é".repeat(97)}.epub`);
    expect(cleanFileName(`a.${"b".repeat(5000)}`, "file")).toBe(`a.${"b".repeat(198)}`);
  });

  it("leaves no space at the cut", () => {
    expect(cleanFileName(`${"a".repeat(195)} bcd.pdf`, "file")).toBe(`${"a".repeat(195)}.pdf`);
    expect(nameOf(`${"a".repeat(185)} bcd`)).toBe(`01 - ${"a".repeat(185)} [en].pdf`);
  });

  it("cuts between graphemes", () => {
    const family = "👨‍👩‍👧"; // 18 bytes
    expect(cleanFileName(`${family.repeat(30)}.pdf`, "file")).toBe(`${family.repeat(10)}.pdf`);
    const syllable = "क्षि"; // 12 bytes
    expect(cleanFileName(syllable.repeat(50), "file")).toBe(syllable.repeat(16));
    expect(cleanFileName(`a${"\u0301".repeat(500)}.pdf`, "file.pdf")).toBe("file.pdf");
  });

  it("is safe, short, composed and stable, for any name", () => {
    fc.assert(
      fc.property(wildText, (name) => {
        const clean = cleanFileName(name, "file");
        expect(clean).not.toMatch(FORBIDDEN_ANYWHERE);
        expect(clean).not.toMatch(/^[\s.]|\s$/u);
        expect(clean).not.toBe("");
        expect(bytes(clean)).toBeLessThanOrEqual(200);
        expect(clean.normalize("NFC")).toBe(clean);
        expect(cleanFileName(clean, "file")).toBe(clean);
      }),
    );
  });
});

const entry = (title: string, more: Partial<NamedEntry> = {}): NamedEntry => ({
  position: 1,
  title,
  languageCode: "en",
  extension: "pdf",
  ...more,
});
const namesOf = (entries: Parameters<typeof zipEntryNames>[0]): string[] => [...zipEntryNames(entries)];
const nameOf = (title: string): string => namesOf([entry(title)])[0] ?? "";

describe("zipEntryNames", () => {
  it("numbers with two digits, or as many as the largest position has", () => {
    expect(namesOf([entry("A"), entry("B", { position: 12 })])).toEqual([
      "01 - A [en].pdf",
      "12 - B [en].pdf",
    ]);
    expect(namesOf([entry("A"), entry("B", { position: 123 })])).toEqual([
      "001 - A [en].pdf",
      "123 - B [en].pdf",
    ]);
    expect(namesOf([])).toEqual([]);
  });

  it.each([
    "الكتاب المقدس",
    "བོད་ཀྱི་དཔེ་ཆ།",
    "हिन्दी की किताब",
    "圣经　故事",
    "می\u200cخواهم",
    "Wait...",
    "...And Justice",
    "L’Étranger (2e éd.)",
    "👨‍👩‍👧",
    "CON",
  ])("keeps the title %j unchanged", (title) => {
    expect(nameOf(title)).toBe(`01 - ${title} [en].pdf`);
  });

  it.each([
    ["../../etc/passwd", "01 - etc passwd [en].pdf"],
    ["a/../b", "01 - a b [en].pdf"],
    ["..\\..\\windows", "01 - windows [en].pdf"],
    ['Genesis: "What" <is> a|b*?', "01 - Genesis What is a b [en].pdf"],
    ["evil\u202Efdp.exe", "01 - evilfdp.exe [en].pdf"],
    ["two\r\nlines\0", "01 - two lines [en].pdf"],
    ["e\u0301", "01 - é [en].pdf"],
    [" ", "01 [en].pdf"],
    ["..", "01 [en].pdf"],
  ])("%j becomes %j", (title, name) => {
    expect(nameOf(title)).toBe(name);
  });

  it("cleans code and extension, too", () => {
    expect(namesOf([entry("A", { languageCode: "en/../x", extension: "../pdf" })])).toEqual([
      "01 - A [enx].pdf",
    ]);
    expect(namesOf([entry("A", { extension: "" })])).toEqual(["01 - A [en]"]);
  });

  it("distinguishes names that differ in case or composition only", () => {
    const titles = ["Élan", "élan", "E\u0301LAN", "Élan (2)", "Other"];
    expect(namesOf(titles.map((title) => entry(title)))).toEqual([
      "01 - Élan [en].pdf",
      "01 - élan (2) [en].pdf",
      "01 - ÉLAN (3) [en].pdf",
      "01 - Élan (2) (2) [en].pdf",
      "01 - Other [en].pdf",
    ]);
  });

  it("shortens the title, never number, code or extension", () => {
    const [first, second] = namesOf([entry("書".repeat(500)), entry("書".repeat(501))]);
    expect(first).toBe(`01 - ${"書".repeat(62)} [en].pdf`);
    expect(second).toBe(`01 - ${"書".repeat(60)} (2) [en].pdf`);
  });

  it("gives a thousand equal entries different names", () => {
    expect(new Set(namesOf(Array.from({ length: 1000 }, () => entry("x".repeat(300))))).size).toBe(1000);
  });

  it("returns safe, short and distinct names of the documented form, for any titles", () => {
    const entries = fc.array(
      fc.record({
        position: fc.integer({ min: 1, max: 1200 }),
        title: wildText,
        languageCode: fc.constantFrom("en", "zh-Hans-CN", "sl-1994-biske-rozaj"),
        extension: fc.constantFrom("pdf", "epub", "azw3"),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(entries, (all) => {
        const names = namesOf(all);
        expect(names).toHaveLength(all.length);
        names.forEach((name, index) => {
          const { languageCode, extension } = all[index] ?? entry("");
          expect(name).toMatch(/^\d{2,4} (- .*)?/u);
          expect(name.endsWith(` [${languageCode}].${extension}`)).toBe(true);
          expect(name).not.toMatch(FORBIDDEN_ANYWHERE);
          expect(name).not.toMatch(/[<>:"|?*]/);
          expect(bytes(name)).toBeLessThanOrEqual(200);
          expect(name.normalize("NFC")).toBe(name);
        });
        expect(new Set(names.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(names.length);
      }),
    );
  });
});

describe("downloadName", () => {
  const named = (title: string, languageCode = "en", extension = "epub") =>
    downloadName({ title, languageCode, extension });

  it.each([
    [named("The Well"), "The Well [en].epub"],
    [named("Le puits", "fr-CA", "pdf"), "Le puits [fr-CA].pdf"],
    [named("Kuyu", "tr", "kepub.epub"), "Kuyu [tr].kepub.epub"],
    [named("../a/b: c?"), "a b c [en].epub"],
    [named(" .. "), "[en].epub"],
    [named("گل‌ها", "fa", "txt"), "گل‌ها [fa].txt"],
  ])("%j", (name, expected) => {
    expect(name).toBe(expected);
  });

  it("has at most 200 bytes, including its extension", () => {
    const name = named("長".repeat(300));
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^長+ \[en\]\.epub$/);
  });
});
