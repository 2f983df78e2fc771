/** The export of the catalogue as pages without scripts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SITE_TEXT_VERSION } from "../../src/cli/export.ts";
import { HtmlExport } from "../../src/operation/transfer/html-export.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { writeFiles } from "../support/book-files.ts";
import { PROJECT } from "../support/modules.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const forms = { serviceUrl: "https://books.example.org", textVersion: "2026-12" };
const HOSTILE = `<script>alert("&")</script> 'A' "B"`;

async function exportPages({ container }: TestApp) {
  const folder = createTempFolder();
  const counts = await new HtmlExport({ services: container.services, forms }, folder).run();
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, counts, read, names: readdirSync(folder).sort() };
}

it("writes a page for each language with published books, and the files that the pages need", async () => {
  const app = await startApp();
  for (const code of ["en", "es", "am", "fr"]) await app.make.language(code);
  for (let number = 0; number < 101; number += 1) await app.make.published(`Book ${number}`, "es");
  await app.make.published("The Well", "am");
  const { counts, names, read } = await exportPages(app);
  expect(counts).toEqual({ languages: 2, editions: 102 });
  expect(names).toEqual(["am.html", "es.html", "icon.svg", "index.html", "privacy.html", "style.css"]);
  expect(read("es.html").match(/<form /g)).toHaveLength(102);
  expect(read("es.html")).toContain('<html lang="es" dir="ltr">');
  // No texts in Amharic: the page is in English, the books aren't.
  expect(read("am.html")).toContain('<html lang="en" dir="ltr">');
  expect(read("am.html")).toContain('<li id="the-well" lang="am" dir="ltr">');
  const links = [...read("index.html").matchAll(/<li><a href="(.+?)"/g)].map(([, link]) => link);
  expect(links.sort()).toEqual(["am.html", "es.html"]);
});

it("writes forms for the service, with the version of the consent text", async () => {
  const app = await startApp();
  await app.make.language("en");
  await app.make.published("The Well", "en");
  const { read } = await exportPages(app);
  const actions = [...read("en.html").matchAll(/action="(.+?)"/g)].map(([, action]) => action);
  expect(actions).toEqual([
    "https://books.example.org/api/download/submit-all",
    "https://books.example.org/api/download/submit",
  ]);
  for (const field of [/name="textVersion" value="2026-12"/g, /type="checkbox" name="marketing"/g])
    expect(read("en.html").match(field)).toHaveLength(2);
  expect(read("en.html")).toContain('<option value="txt">TXT</option>');
});

it("writes texts of the catalogue without interpreting them as HTML", async () => {
  const app = await startApp();
  await app.make.language("en", { nativeName: HOSTILE });
  await app.make.published(HOSTILE, "en");
  const { read } = await exportPages(app);
  for (const name of ["en.html", "index.html"]) {
    expect(read(name)).not.toContain("<script");
    expect(read(name)).toContain(
      "&#60;script&#62;alert(&#34;&#38;&#34;)&#60;/script&#62; &#39;A&#39; &#34;B&#34;",
    );
  }
});

it("writes only into an empty folder", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, { "index.html": "mine" });
  const run = new HtmlExport({ services: app.container.services, forms }, folder).run();
  await expect(run).rejects.toThrow("isn't empty: it contains index.html");
  expect(readFileSync(join(folder, "index.html"), "utf8")).toBe("mine");
});

it("uses the version of the public page's consent text by default", () => {
  const page = readFileSync(join(PROJECT, "examples/public-site/index.html"), "utf8");
  expect(page).toContain(`name="textVersion" value="${SITE_TEXT_VERSION}"`);
});
