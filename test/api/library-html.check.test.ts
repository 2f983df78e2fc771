/** Every page for readers is valid HTML, and its data of schema.org can be read. */
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { pageOf, sendForm } from "../support/library-pages.ts";

/** Titles and names that an editor can type, and that are hard on markup and layout. */
const HARD = [
  `<img src=x onerror="alert('1')"> & "more" </script><!-- ]]>`,
  "x".repeat(300),
  "כותרת עברית (1) – A mixed one",
  "\u0301\u0316\u0301",
];

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended"],
    rules: {
      // The name of a book or an organisation can be longer than search engines show.
      "long-title": "off",
    },
  }),
);

/** The rules that a page breaks, with the places. */
async function findErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId} in line ${line}: ${message}`),
  );
}

async function scene(variables: Record<string, string> = {}) {
  const { app, client, make, ...rest } = await startWithAdmin({
    PUBLIC_BASE_URL: "https://books.example.org",
    ...variables,
  });
  for (const code of ["en", "ar", "bo", "am"]) await make.language(code, { nativeName: undefined });
  const books = [];
  for (const [index, titleEn] of HARD.entries()) {
    const book = await make.book(titleEn, {
      slug: `hard-${index}`,
      description: `${titleEn}\n\nhttps://example.org/?a=1&b=2`,
      authors: [titleEn.slice(0, 200)],
      series: { name: HARD[0], position: index + 1 },
    });
    for (const code of ["en", "ar", "bo"]) await make.textFile(book.id, code, "x");
    books.push(book);
  }
  const credits = {
    license: "CC-BY-4.0",
    publisher: HARD[0],
    contributors: [{ name: HARD[0], role: "<i>" }],
    isbn: "9783161484100",
  };
  const [first] = books;
  const texts = { languageCode: "ar", title: "البئر <b>", description: "وصف", ...credits };
  await bodyOf(client.post(`/api/admin/books/${first?.id}/translations`, texts), 201);
  for (let number = 1; number <= 24; number += 1) await make.published(`Book ${number}`, "en");
  const contactFields = { lastName: "required", phone: "optional", country: "optional" };
  await bodyOf(client.put("/api/admin/library", { name: HARD[0], contactFields }));
  const own = {
    introduction: HARD[0],
    footer: "A <b>\n\nB\nC",
    about: HARD[0],
    privacy: "P",
    consent: "Yes\n\nhttps://example.org/",
    consentVersion: '"1"',
  };
  await bodyOf(client.put("/api/admin/library/texts/en", own));
  return { ...rest, app, client, make };
}

describe("every page of the library is valid HTML", () => {
  const PATHS = [
    "",
    "?page=2",
    "?q=hard&order=title",
    "?q=nothing",
    "?page=99",
    "?page=x",
    "?utm_source=a%26b",
    ...HARD.map((_, index) => `/books/hard-${index}`),
    "/books/hard-0?utm_source=%22",
    "/books/nothing",
    "/all",
    "/all/ready?token=x",
    "/about",
    "/privacy",
  ];

  it("in each language and each state", async () => {
    const { app } = await scene();
    const found: Record<string, string[]> = {};
    const paths = ["en", "ar", "bo"].flatMap((code) => PATHS.map((path) => `/library/${code}${path}`));
    for (const path of ["/", "/library", "/library/am", "/library/xx", ...paths]) {
      const { html } = await pageOf(app, path);
      const errors = await findErrors(html);
      if (errors.length > 0) found[path] = errors;
    }
    expect(found).toEqual({});
  });

  it("after a wrong form, after a right one, and once the link has expired", async () => {
    const { app } = await scene();
    const wrong = await sendForm(app, "/library/ar/books/hard-0", { firstName: HARD[0] ?? "", email: "x" });
    expect([wrong.status, await findErrors(wrong.html)]).toEqual([400, []]);
    for (const path of ["/library/ar/books/hard-0", "/library/en/all"]) {
      const form = { firstName: "Sara", lastName: "Z", email: "sara@example.org" };
      const { next, status } = await sendForm(app, path, form);
      expect(status).toBe(303);
      const ready = await pageOf(app, next);
      expect([ready.status, await findErrors(ready.html)]).toEqual([200, []]);
      const token = new URL(next, "http://x").searchParams.get("token");
      app.clock.advance(601_000);
      for (const expired of [next, `/api/download/${token}`]) {
        const page = await pageOf(app, expired);
        expect([page.status, await findErrors(page.html)]).toEqual([410, []]);
      }
    }
  });

  it("outside of the library", async () => {
    const { app } = await scene({ LIBRARY: "false" });
    for (const [path, status] of [
      ["/", 200],
      ["/nothing/here", 404],
      ["/api/download/nothing", 404],
    ] as const) {
      const page = await pageOf(app, path);
      expect([page.status, await findErrors(page.html)]).toEqual([status, []]);
    }
  });
});

it("has data of schema.org that ends where it should, with any title", async () => {
  const { app } = await scene();
  for (const [index, name] of HARD.entries()) {
    const { html } = await pageOf(app, `/library/en/books/hard-${index}`);
    const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
    expect(scripts).toHaveLength(1);
    expect(JSON.parse(scripts[0]?.[1] ?? "")).toMatchObject({
      "@context": "https://schema.org",
      "@type": "Book",
      name: name.normalize("NFC"),
      inLanguage: "en",
      url: `https://books.example.org/library/en/books/hard-${index}`,
    });
  }
});
