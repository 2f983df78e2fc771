/** The operator's own texts of readers' pages: DATA_DIR/pages/<language code>.json. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createAppShell } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { OperatorError } from "../../src/errors.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import { breakDatabase } from "../support/catalogue-rows.ts";
import type { Client } from "../support/client.ts";
import { FakeClock } from "../support/clock.ts";
import { createPicture } from "../support/covers.ts";
import { read } from "../support/documents.ts";
import { linksIn, pageOf } from "../support/library-pages.ts";
import { TEXTS } from "../support/page-texts.ts";
import { linkTo } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase } from "../support/test-database.ts";

/** A data folder with these files in `pages`. */
function folderWith(files: Record<string, unknown>): string {
  const dataDir = createTempFolder();
  addDatabase(dataDir);
  mkdirSync(join(dataDir, "pages"));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(dataDir, "pages", name), text);
  }
  return dataDir;
}

describe("the page for an invalid link", () => {
  it("has the operator's texts in place of those of the service, and the others unchanged", async () => {
    const content = { unknown: { heading: "Ein <falscher> Link" } };
    const { api } = await startApp({}, { dataDir: folderWith({ "de.json": content, ".hidden": "" }) });
    const headers = { Accept: "text/html", "Accept-Language": "de-AT, fr" };
    const page = (await api.get("/api/download/nothing", headers)).body.toString();
    expect(page).toContain("<h1>Ein &#60;falscher&#62; Link</h1>");
    expect(page).toContain("Vielleicht fehlt ein Teil der Adresse.");
    const french = { Accept: "text/html", "Accept-Language": "fr" };
    expect((await api.get("/api/download/nothing", french)).body.toString()).toContain(
      "<h1>Ce lien ne fonctionne pas</h1>",
    );
  });

  it("has the texts of the documented example after the link's expiry", async () => {
    const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(read("docs/reader-pages.md")) ?? [];
    const given = { PUBLIC_SITE_URL: "https://books.example.org/" };
    const app = await startApp(given, { dataDir: folderWith({ "en.json": example }) });
    await app.make.published("The Well", "en");
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "en" });
    app.clock.advance(600_000);
    const page = (await app.api.get(link, { Accept: "text/html" })).body.toString();
    expect(page).toContain("<h1>This link is no longer valid</h1>");
    expect(page).toContain(">Back to the library</a>");
    expect(page).toContain(">Get a new link</button>");
  });

  it("is in a language that the operator has added, in its direction", async () => {
    const texts = { ...TEXTS.en, unknown: { heading: "یہ لنک کام نہیں کرتا", text: "شاید پتا ادھورا ہے۔" } };
    const { api } = await startApp({}, { dataDir: folderWith({ "ur.json": texts }) });
    const headers = { Accept: "text/html", "Accept-Language": "ur-PK" };
    const response = await api.get("/api/download/nothing", headers);
    expect(response.headers["content-language"]).toBe("ur");
    expect(response.body.toString()).toContain('<html lang="ur" dir="rtl">');
    expect(response.body.toString()).toContain("<h1>یہ لنک کام نہیں کرتا</h1>");
  });
});

describe("a page for readers outside of the library", () => {
  const HTML = { Accept: "text/html" };
  const named = { name: "Lesen <für> alle", accentColor: "#aa0000" };
  const putLogo = async (client: Client) =>
    client.upload("put", "/api/admin/library/logo", {
      file: { bytes: await createPicture("red"), name: "logo.png" },
    });
  const styleIn = (html: string) => /<link rel="stylesheet" href="([^"]+)">/.exec(html)?.[1] ?? "";

  it("has the name, the logo and the colour of the organisation, and leads to the library", async () => {
    const { app, api, clock, make, client } = await startWithAdmin();
    await make.published("The Well", "es");
    const link = await linkTo(api, { slug: "the-well", languageCode: "es" });
    expect((await client.put("/api/admin/library", named)).status).toBe(200);
    expect((await putLogo(client)).status).toBe(200);
    clock.advance(600_000);
    const page = (await api.get(link, HTML)).body.toString();
    expect(page).toContain("<span>Lesen &#60;für&#62; alle</span>");
    expect(linksIn(page, link)).toEqual(["/", "/library/es"]);
    const style = new URL(styleIn(page), `http://x${link}`).pathname;
    const sheet = await api.get(style);
    expect(sheet.headers["cache-control"]).toContain("immutable");
    expect(sheet.body.toString()).toContain("#aa0000");
    expect(styleIn((await pageOf(app, "/")).html)).toBe(style.slice(1));
    const logo = /<img src="([^"]+)"/.exec(page)?.[1] ?? "";
    expect((await api.get(new URL(logo, `http://x${link}`).pathname)).headers["content-type"]).toBe(
      "image/png",
    );
    expect((await client.put("/api/admin/library", { name: "Anders" })).status).toBe(200);
    expect((await api.get(link, HTML)).body.toString()).toContain("<span>Anders</span>");
    const unknown = (await api.get("/somewhere/else", HTML)).body.toString();
    expect(linksIn(unknown, "/somewhere/else")).toEqual(["/", "/api/docs"]);
  });

  it("has no logo where there is no library, and leads to the site", async () => {
    const { api, client } = await startWithAdmin({ PUBLIC_SITE_URL: "https://books.example.org/" });
    expect((await client.put("/api/admin/library", named)).status).toBe(200);
    expect((await putLogo(client)).status).toBe(200);
    const page = (await api.get("/api/download/nothing", HTML)).body.toString();
    expect(page).toContain('<a class="brand" href="https://books.example.org/"><img src="../../api/favicon"');
    expect(page).toContain("<span>Lesen &#60;für&#62; alle</span>");
    const home = (await api.get("/", HTML)).body.toString();
    expect(home).toContain("<span>Lesen &#60;für&#62; alle</span>");
    expect((await api.get(`/${styleIn(home)}`)).body.toString()).toContain("#aa0000");
  });

  it("has what was there last while the database doesn't respond", async () => {
    const { api, container, clock, client } = await startWithAdmin({ LIBRARY: "false" });
    expect((await client.put("/api/admin/library", named)).status).toBe(200);
    const before = (await api.get("/", HTML)).body.toString();
    await breakDatabase({ container });
    clock.advance(1000);
    const page = await api.get("/", HTML);
    expect(page.status).toBe(503);
    expect(page.body.toString()).toContain("<span>Lesen &#60;für&#62; alle</span>");
    expect(styleIn(page.body.toString())).toBe(styleIn(before));
    expect((await api.get(`/${styleIn(before)}`)).body.toString()).toContain("#aa0000");
  });
});

describe("a start with an invalid file of page texts", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["that isn't JSON", { "de.json": "{" }, "de.json: can't be read: "],
    ["with an unknown text", { "de.json": { header: "x" } }, "de.json: has unknown fields"],
    ["with an empty text", { "de.json": { back: " " } }, "de.json: back must not be empty"],
    [
      "of a new language with a text missing",
      { "ur.json": { ...TEXTS.en, renew: undefined } },
      "renew is required",
    ],
    ["that names no language", { "german.json": {} }, "german.json: the name must be a language code"],
    ["of another kind", { "de.txt": "" }, "de.txt: the name must end with .json"],
    [
      "that is too long",
      { "de.json": " ".repeat(70_000) },
      "de.json: can't be read: it has more than 65536 bytes",
    ],
  ])("%s fails, and names the file", async (_, files, message) => {
    const config = readConfig({ DATA_DIR: folderWith(files) });
    const start = () =>
      createAppShell({ config, log: pino({ level: "silent" }), clock: new FakeClock(), newId: () => "1" });
    await expect(start()).rejects.toThrow(OperatorError);
    await expect(start()).rejects.toThrow(message);
  });
});
