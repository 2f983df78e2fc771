/** Finding books: by text in any script, and by language. */
import { expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import type { Client } from "../support/client.ts";

const BOOKS = "/api/admin/books";

async function found(client: Client, query: Record<string, string>): Promise<string[]> {
  const { body } = await client.get(`${BOOKS}?${new URLSearchParams(query)}`);
  expect(body.pagination.total).toBe(body.books.length);
  return body.books.map((book: { titleEn: string }) => book.titleEn);
}

it("searching books finds titles, descriptions and translations regardless of case and accents", async () => {
  const { make, admin } = await startApp();
  const client = await admin();
  for (const code of ["es", "ar", "hi", "tr"]) await make.language(code);
  await make.book("Étude of the Øresund", { description: "Straße und Brücke" });
  await make.book("The Well", {
    translations: [
      { languageCode: "ar", title: "الْبِئْرُ العميقة" },
      { languageCode: "hi", title: "कुआँ", description: "गहरा" },
      { languageCode: "tr", title: "IŞIK KUYUSU" },
    ],
  });
  await make.book("नदी", { slug: "nadi" });
  const cases: [string, string[]][] = [
    ["ETUDE", ["Étude of the Øresund"]],
    ["e\u0301tude of", ["Étude of the Øresund"]],
    ["oresund", ["Étude of the Øresund"]],
    ["STRASSE", ["Étude of the Øresund"]],
    ["  brucke ", ["Étude of the Øresund"]],
    ["البئر", ["The Well"]],
    ["कुआँ", ["The Well"]],
    ["गहरा", ["The Well"]],
    ["isik kuyusu", ["The Well"]],
    ["नदी", ["नदी"]],
    // A vowel sign is a letter there: this is another word.
    ["नद", ["नदी"]],
    ["नदा", []],
    ["e", ["Étude of the Øresund", "The Well"]],
    ["well étude", []],
    // Each word in some text, in any order.
    ["brucke etude", ["Étude of the Øresund"]],
    ["गहरा well kuyusu", ["The Well"]],
    ["etude-of-the", ["Étude of the Øresund"]],
    ["", ["Étude of the Øresund", "The Well", "नदी"]],
  ];
  for (const [search, titles] of cases) expect(await found(client, { search }), search).toEqual(titles);
});

it("books of a language have a translation or a file in it; the case of the code is ignored", async () => {
  const { make, client } = await startWithAdmin();
  await make.language("pt-BR");
  await make.language("es");
  await make.language("ar");
  await make.book("Translated", { translations: [{ languageCode: "pt-BR", title: "T" }] });
  await make.published("With a file", "pt-BR");
  const both = await make.book("Both", { translations: [{ languageCode: "pt-BR", title: "T" }] });
  await make.textFile(both.id, "pt-BR", "text");
  await make.book("Spanish", { translations: [{ languageCode: "es", title: "T" }] });
  for (const languageCode of ["pt-BR", "PT-br", "pt-br"]) {
    expect(await found(client, { languageCode })).toEqual(["Translated", "With a file", "Both"]);
  }
  expect(await found(client, { languageCode: "ar" })).toEqual([]);
  expect(await found(client, { languageCode: "zh" })).toEqual([]);
  expect(await found(client, { languageCode: "pt" })).toEqual([]);
  expect(await found(client, { languageCode: "pt-BR", search: "file", status: "active" })).toEqual([
    "With a file",
  ]);
});
