/** The addresses under which readers find a book, and their QR codes, which a reader of codes reads. */
import jsQR from "jsqr";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf, type Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BASE = { PUBLIC_BASE_URL: "https://books.example.org/shelf" };

async function start(variables: Record<string, string> = BASE) {
  const { app, client } = await startWithAdmin(variables);
  const es = await app.make.language("es");
  const mexican = await app.make.language("es-MX", { parentId: es.id });
  await app.make.language("ar", { customDomain: "kutub.example.org" });
  const { book } = await app.make.published("The Well", "es");
  await app.make.textFile(book.id, "ar", "A text");
  const channel = await app.make.channel("Kids");
  await app.make.publish(book.id, channel.id, es.id);
  const path = `/api/admin/books/${book.id}`;
  const linksOf = async (query = "") =>
    (await bodyOf(client.get(`${path}/links${query}`))).links.map(
      (link: { channelSlug: string | null; languageCode: string; url: string }) =>
        [link.languageCode, link.channelSlug, link.url] as const,
    );
  return { ...app, client, es, mexican, book, channel, path, linksOf };
}

/** What a camera reads of the image, drawn a few pixels large for each square. */
async function decode(image: Buffer): Promise<{ text: string | undefined; width: number; height: number }> {
  const drawn = sharp(image, { density: 400 }).ensureAlpha();
  const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
  const code = jsQR.default(new Uint8ClampedArray(data), info.width, info.height);
  return { text: code?.data, width: info.width, height: info.height };
}

const codeOf = async (client: Client, path: string) => {
  const response = await client.get(path);
  expect(response.status, response.body.toString()).toBe(200);
  return response;
};

describe("GET /api/admin/books/{bookId}/links", () => {
  it("has the address in the library by language and channel, where the book is published", async () => {
    const { linksOf } = await start();
    const shelf = "https://books.example.org/shelf/library";
    const all = [
      ["ar", null, "https://kutub.example.org/library/ar/books/the-well"],
      ["es", null, `${shelf}/es/books/the-well`],
      ["es", "kids", `${shelf}/es/books/the-well`],
      ["es-MX", null, `${shelf}/es-MX/books/the-well`],
      ["es-MX", "kids", `${shelf}/es-MX/books/the-well`],
    ];
    expect((await linksOf()).toSorted()).toEqual(all.toSorted());
    expect(await linksOf("?languageCode=ES-mx&channel=kids")).toEqual(all.slice(4));
  });

  it("has the campaign of a channel, and its own address for books", async () => {
    const { client, channel, linksOf } = await start();
    const given = { utmSource: "kids & co", utmMedium: "flyer", utmCampaign: "\"><script>'" };
    expect((await client.patch(`/api/admin/channels/${channel.id}`, given)).body.channel).toMatchObject(
      given,
    );
    const campaign = "utm_source=kids%20%26%20co&utm_medium=flyer&utm_campaign=%22%3E%3Cscript%3E%27";
    expect(await linksOf("?languageCode=es&channel=kids")).toEqual([
      ["es", "kids", `https://books.example.org/shelf/library/es/books/the-well?${campaign}`],
    ]);
    const bookUrl = "https://kids.example.org/{language}/?b={slug}&c={channel}#book";
    expect((await client.patch(`/api/admin/channels/${channel.id}`, { bookUrl })).status).toBe(200);
    expect(await linksOf("?languageCode=es&channel=kids")).toEqual([
      ["es", "kids", `https://kids.example.org/es/?b=the-well&c=kids&${campaign}#book`],
    ]);
  });

  it("has the address of PUBLIC_BOOK_URL, or else of the organisation's site", async () => {
    const template = { PUBLIC_BOOK_URL: "https://www.example.org/{language}/{slug}?via={channel}" };
    const one = await start({ ...BASE, ...template });
    expect(await one.linksOf("?languageCode=es")).toEqual([
      ["es", null, "https://www.example.org/es/the-well?via="],
      ["es", "kids", "https://www.example.org/es/the-well?via=kids"],
    ]);
    const another = await start({ ...BASE, PUBLIC_SITE_URL: "https://www.example.org/books" });
    expect((await another.linksOf("?languageCode=es"))[0]).toEqual([
      "es",
      null,
      "https://www.example.org/books?language=es&book=the-well",
    ]);
  });

  it("says it if nothing says where readers find books, unless the channel does", async () => {
    const { client, path, channel, linksOf } = await start({});
    expectProblem(await client.get(`${path}/links?languageCode=es`), 409, { code: "no_public_site" });
    expectProblem(await client.get(`${path}/qr?languageCode=es`), 409, { code: "no_public_site" });
    await client.patch(`/api/admin/channels/${channel.id}`, { bookUrl: "https://kids.example.org/{slug}" });
    expect(await linksOf("?languageCode=es")).toEqual([["es", "kids", "https://kids.example.org/the-well"]]);
    expectProblem(await client.get(`${path}/qr?languageCode=es`), 409, { code: "no_public_site" });
    // The language has a host of its own.
    expect(await linksOf("?languageCode=ar")).toEqual([
      ["ar", null, "https://kutub.example.org/library/ar/books/the-well"],
    ]);
  });

  it("has those of a book that isn't due yet, and none of an archived one or an inactive channel", async () => {
    const { client, path, channel, linksOf } = await start();
    await client.patch(path, { publishAt: "2030-01-01T00:00:00Z" });
    expect((await linksOf("?languageCode=es")).length).toBe(2);
    await client.patch(`/api/admin/channels/${channel.id}`, { isActive: 0 });
    expect((await linksOf("?languageCode=es")).length).toBe(1);
    expectProblem(await client.get(`${path}/links?channel=kids`), 404, { code: "channel_not_found" });
    expectProblem(await client.get(`${path}/links?language=es`), 400, { errors: ["language unknown_field"] });
    expectProblem(await client.get(`${path}/links?languageCode=fr`), 404, { code: "language_not_found" });
    await client.delete(path);
    expect(await linksOf()).toEqual([]);
  });
});

describe("GET /api/admin/books/{bookId}/qr", () => {
  it("draws each link as SVG, without anything of it as text, and as PNG in any size", async () => {
    const { client, path, channel } = await start();
    const given = { utmSource: "kids", utmCampaign: "<svg onload='alert(1)'>" };
    await client.patch(`/api/admin/channels/${channel.id}`, given);
    const { links } = (await client.get(`${path}/links?languageCode=es`)).body;
    for (const { qrUrl, url } of links) {
      const svg = await codeOf(client, qrUrl);
      expect(svg.headers).toMatchObject({
        "content-type": "image/svg+xml",
        "cache-control": "private, no-cache",
        "content-security-policy": "default-src 'none'; sandbox",
      });
      expect((await decode(svg.body)).text).toBe(url);
      expect(svg.body.toString()).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+" shape-rendering="crispEdges"><path fill="#fff" d="[\dMhHvVz ]+"\/><path d="[\dMhvz -]+"\/><\/svg>\n$/,
      );
      for (const size of [128, 500, 2048]) {
        const png = await codeOf(client, `${qrUrl}&format=png&size=${size}`);
        expect(png.headers["content-type"]).toBe("image/png");
        expect(await decode(png.body)).toEqual({ text: url, width: size, height: size });
      }
    }
  });

  it("is revalidated by its entity tag", async () => {
    const { client, path } = await start();
    const first = await codeOf(client, `${path}/qr?languageCode=es`);
    const again = await client.get(`${path}/qr?languageCode=es`, {
      "If-None-Match": first.headers.etag ?? "",
    });
    expect(again.status).toBe(304);
    expectProblem(await client.get(`${path}/qr?languageCode=es`, { "If-Match": '"other"' }), 412, {});
  });

  it("is rejected with every error, and where the book isn't published", async () => {
    const { client, path, channel, book } = await start();
    expectProblem(await client.get(`${path}/qr?format=gif&size=100&more=1`), 400, {
      errors: ["format invalid_value", "languageCode invalid_type", "more unknown_field", "size too_small"],
    });
    expectProblem(await client.get(`${path}/qr?languageCode=ar&channel=kids`), 404, {
      code: "not_published",
    });
    await client.patch(`/api/admin/channels/${channel.id}`, {
      utmSource: "ж".repeat(200),
      utmMedium: "ж".repeat(200),
    });
    expectProblem(await client.get(`${path}/qr?languageCode=es&channel=kids`), 409, {
      code: "address_too_long",
    });
    expectProblem(
      await client.get(
        `/api/admin/books/${book.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}/qr?languageCode=es`,
      ),
      404,
      {
        code: "book_not_found",
      },
    );
  });
});

it.each([
  "javascript:alert('{slug}')",
  "https://{slug}.example.org/",
  "https://www.example.org/",
  "https://www.example.org/{slug}/{title}",
])("a channel doesn't take %s as the address of its books", async (bookUrl) => {
  const { client } = await startWithAdmin();
  const response = await client.post("/api/admin/channels", { name: "Kids", bookUrl, utmSource: "" });
  expectProblem(response, 400, { errors: ["bookUrl invalid_format", "utmSource too_small"] });
});
