/** What is wrong in a bulk request: the whole of it, or one of its items. */
import { describe, expect, it } from "vitest";
import { link, listErrors, startBulk } from "../support/bulk.ts";
import { dumpOf } from "../support/database-dump.ts";

describe("an item with errors", () => {
  it("fails alone: nothing of it is stored, and the others are written", async () => {
    const { app, bulk, slugs } = await startBulk();
    await bulk([{ slug: "known", titleEn: "Known" }]);
    const known = await dumpOf(app);
    const response = await bulk([
      {
        slug: "known",
        titleEn: "Other",
        translations: [{ languageCode: "es", title: "T" }],
        files: [link("fr", "f")],
      },
      { titleEn: "New", translations: [{ languageCode: "es", title: "" }] },
    ]);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      summary: { total: 2, created: 0, updated: 0, failed: 2 },
      results: [
        {
          index: 0,
          slug: "known",
          status: "failed",
          bookId: "",
          translationsUpserted: 0,
          filesUpserted: 0,
          error: "books.0.files.0.languageCode: language fr does not exist; create it first",
          errors: [
            {
              in: "body",
              path: "books.0.files.0.languageCode",
              code: "unknown_language",
              message: "language fr does not exist; create it first",
            },
          ],
        },
        expect.objectContaining({ index: 1, slug: "new", status: "failed" }),
      ],
    });
    expect(await dumpOf(app)).toEqual(known);
    const mixed = await bulk([{ titleEn: "A" }, { titleEn: "" }, { titleEn: "B" }]);
    expect(mixed.body.summary).toEqual({ total: 3, created: 2, updated: 0, failed: 1 });
    expect(await slugs()).toEqual(["known", "a", "b"]);
  });

  it("reports all errors: of structure, languages, repetitions and links", async () => {
    const { bulk } = await startBulk();
    const response = await bulk([
      {
        slug: "Not a slug",
        titleEn: 5,
        description: "a\0b",
        translations: [
          { languageCode: "es", title: "T" },
          { languageCode: "ES", title: "U" },
          { languageCode: "spanish", title: "T" },
          { languageCode: "fr", title: "T", languageId: 1 },
          { languageCode: "de", title: "T" },
        ],
        files: [
          link("es", "a"),
          link("es", "b", { sourceType: "google_drive" }),
          link("es", "c", { fileType: "epub", sourceType: "local" }),
          link("es", "d", { fileType: "exe", fileSizeBytes: 1.5 }),
          link("fr", "e", { cloudUrl: "http://files.example.org/e.pdf" }),
        ],
      },
    ]);
    expect(listErrors(response)).toEqual([
      "books.0.titleEn invalid_type",
      "books.0.slug invalid_format",
      "books.0.description invalid_characters",
      "books.0.translations.2.languageCode invalid_language_code",
      "books.0.translations.3.languageId unknown_field",
      "books.0.files.2.sourceType invalid_value",
      "books.0.files.3.fileType invalid_value",
      "books.0.files.3.fileSizeBytes invalid_type",
      "books.0.translations.1.languageCode repeated_language",
      "books.0.files.1.fileType repeated_file",
      "books.0.files.1.cloudUrl url_of_another_provider",
      "books.0.files.4.cloudUrl url_not_https",
      "books.0.translations.4.languageCode unknown_language",
      "books.0.files.4.languageCode unknown_language",
    ]);
    const [failed] = (await bulk([{ slug: "Not a slug", titleEn: "Well" }])).body.results;
    expect([failed.slug, response.body.results[0].slug]).toEqual(["", ""]);
    expect(response.body.results[0].error).toMatch(/^books\.0\.titleEn: .* \(and 13 more\)$/);
  });

  it.each([null, 5, "text", true, [], [{ titleEn: "Well" }]])(
    "can be a value that isn't an object: %j",
    async (item) => {
      const { bulk } = await startBulk();
      const response = await bulk([item, { titleEn: "Well" }]);
      expect(response.body.summary).toEqual({ total: 2, created: 1, updated: 0, failed: 1 });
      expect(listErrors(response)).toEqual(["books.0 invalid_type"]);
      expect(response.body.results[0].slug).toBe("");
    },
  );

  it("has the slug of an earlier item, whether or not that one was written", async () => {
    const { bulk, slugs } = await startBulk();
    const response = await bulk([
      { titleEn: "The Well" },
      { slug: "the-well", titleEn: "Another" },
      { slug: "hill", titleEn: "" },
      { titleEn: "Hill" },
      { titleEn: "The  well", files: [link("fr", "f")] },
    ]);
    expect(listErrors(response)).toEqual([
      "books.1.slug repeated_slug",
      "books.2.titleEn too_small",
      "books.3.slug repeated_slug",
      "books.4.slug repeated_slug",
      "books.4.files.0.languageCode unknown_language",
    ]);
    expect(response.body.results[4].error).toBe("books.4.slug: must not be the slug of books.0 (and 1 more)");
    expect(await slugs()).toEqual(["the-well"]);
  });

  it("has a title without letters and digits, and no slug", async () => {
    const { bulk, slugs } = await startBulk();
    const response = await bulk([{ titleEn: "؟!" }, { titleEn: "؟!" }, { titleEn: "؟!", slug: "bir" }]);
    expect(listErrors(response)).toEqual(["books.0.slug missing_slug", "books.1.slug missing_slug"]);
    expect(await slugs()).toEqual(["bir"]);
  });

  it("has a link that isn't allowed", async () => {
    const { bulk } = await startBulk();
    const urls = [
      "https://127.0.0.1/a",
      "https://localhost/a",
      "https://u:p@files.example.org/",
      "ftp://a.example.org/",
    ];
    const response = await bulk(
      urls.map((cloudUrl, index) => ({ titleEn: `B ${index}`, files: [link("es", "a", { cloudUrl })] })),
    );
    expect(listErrors(response)).toEqual([
      "books.0.files.0.cloudUrl url_host_not_public",
      "books.1.files.0.cloudUrl url_host_not_public",
      "books.2.files.0.cloudUrl url_with_credentials",
      "books.3.files.0.cloudUrl url_not_https",
    ]);
  });

  it("reports up to a hundred errors per item, and ten thousand in total", async () => {
    const { bulk } = await startBulk();
    const wrong = (count: number) => ({
      translations: Array.from({ length: count }, () => ({ languageCode: "de", title: "T" })),
    });
    const one = await bulk([{ titleEn: "Well", ...wrong(150) }]);
    expect(one.body.results[0].errors).toHaveLength(100);
    expect(one.body.results[0].error).toMatch(/ \(and 298 more\)$/);
    const many = await bulk(
      Array.from({ length: 120 }, (_, index) => ({ slug: `w-${index}`, titleEn: "W", ...wrong(60) })),
    );
    const reported = many.body.results.map(({ errors }: { errors: object[] }) => errors.length);
    expect(reported).toEqual([...Array(100).fill(100), ...Array(20).fill(1)]);
    const unknown = await bulk([{ titleEn: "Well", ["x".repeat(5000)]: 1 }]);
    expect(unknown.body.results[0].errors[0].path).toBe(`books.0.${"x".repeat(100)}`);
  });
});
