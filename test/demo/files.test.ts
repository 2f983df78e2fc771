import { describe, expect, it } from "vitest";
import { demoBooks } from "../../tools/demo/catalogue.ts";
import { createDemoFiles } from "../../tools/demo/files.ts";

describe("the demo's files", () => {
  it("are an EPUB of every translation and a PDF of those in Latin letters", async () => {
    const files = await createDemoFiles();
    const made = files.map(({ slug, languageCode, fileType }) => `${slug} ${languageCode} ${fileType}`);
    const expected = demoBooks.flatMap(({ slug, translations }) =>
      translations.flatMap(({ languageCode }) => [
        `${slug} ${languageCode} epub`,
        ...(["en", "es", "fr"].includes(languageCode) ? [`${slug} ${languageCode} pdf`] : []),
      ]),
    );
    expect(made).toEqual(expected);
  });

  it("have the title as their name, and begin according to their type", async () => {
    for (const { slug, languageCode, fileType, fileName, bytes } of await createDemoFiles()) {
      const translation = demoBooks
        .find((book) => book.slug === slug)
        ?.translations.find((candidate) => candidate.languageCode === languageCode);
      expect(fileName).toBe(`${translation?.title} [${languageCode}].${fileType}`);
      expect(bytes.toString("latin1", 0, 4)).toBe(fileType === "pdf" ? "%PDF" : "PK\u0003\u0004");
    }
  });

  it("are all different", async () => {
    const contents = (await createDemoFiles()).map(({ bytes }) => bytes.toString("latin1"));
    expect(new Set(contents).size).toBe(contents.length);
  });
});
