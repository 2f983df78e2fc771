import { describe, expect, it } from "vitest";
import { createBooklets, demoBooks } from "../../tools/demo/catalogue.ts";
import { makePdf, pdfLanguages } from "../../tools/demo/pdf.ts";

const booklets = demoBooks.flatMap(createBooklets);
const latin = booklets
  .filter(({ languageCode }) => pdfLanguages.includes(languageCode))
  .map((booklet) => ({ label: `“${booklet.title}” (${booklet.languageCode})`, booklet }));

/** The characters of the page content: pdfkit writes them as hexadecimal WinAnsi codes. */
function shownText(pdf: Buffer): string {
  const strings = pdf.toString("latin1").matchAll(/\[([^\]]*)\] TJ/g);
  const codes = [...strings].map(([, array = ""]) =>
    [...array.matchAll(/<([\da-f]*)>/g)].map(([, hex]) => hex).join(""),
  );
  return new TextDecoder("windows-1252").decode(Buffer.from(codes.join("20"), "hex"));
}

/** An entry of the information dictionary, which refers to an object with the string, plain or in UTF-16. */
function informationOf(pdf: string, key: string): string {
  const reference = new RegExp(`/${key} (\\d+) 0 R`).exec(pdf)?.[1];
  const written = new RegExp(`\n${reference} 0 obj\n\\((.*?)\\)\nendobj`, "s").exec(pdf)?.[1] ?? "";
  const bytes = Buffer.from(written, "latin1");
  return written.startsWith("þÿ") ? new TextDecoder("utf-16be").decode(bytes) : written;
}

const withoutSpaces = (text: string) => text.replace(/\s/g, "");

describe("a PDF of the demo", () => {
  it("exists for all three languages in Latin letters", () => {
    expect(new Set(latin.map(({ booklet }) => booklet.languageCode))).toEqual(new Set(["en", "es", "fr"]));
  });

  it.each(latin)("is complete and contains the text: $label", async ({ booklet }) => {
    const pdf = await makePdf(booklet);
    const written = pdf.toString("latin1");
    expect(written.startsWith("%PDF-1.7\n")).toBe(true);
    expect(written.trimEnd().endsWith("%%EOF")).toBe(true);
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(written)?.[1]);
    expect(written.slice(start, start + 4)).toBe("xref");
    const whole = [booklet.title, booklet.description, ...booklet.paragraphs].join(" ");
    expect(withoutSpaces(shownText(pdf))).toBe(withoutSpaces(whole));
  });

  it.each(latin)("names title, author and language: $label", async ({ booklet }) => {
    const written = (await makePdf(booklet)).toString("latin1");
    expect(written).toContain(`/Lang (${booklet.languageCode})`);
    expect(informationOf(written, "Author")).toBe("Book Distribution Service, demo catalogue");
    expect(informationOf(written, "Title")).toBe(booklet.title);
    expect(informationOf(written, "Subject")).toBe(booklet.description);
    expect(informationOf(written, "CreationDate")).toBe("D:20260101000000Z");
    expect(informationOf(written, "ModDate")).toBe("D:20260101000000Z");
  });

  it.each(latin)("has the same bytes every time: $label", async ({ booklet }) => {
    expect((await makePdf(booklet)).equals(await makePdf(booklet))).toBe(true);
  });

  it("rejects letters that the standard fonts lack", async () => {
    const arabic = booklets.find(({ languageCode }) => languageCode === "ar");
    expect(arabic).toBeDefined();
    if (arabic !== undefined) await expect(makePdf(arabic)).rejects.toThrow(RangeError);
  });
});
