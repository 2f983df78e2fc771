/** A reader with curl alone: from the start page to the file, by what each response says. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { z } from "zod";
import { startApp } from "../support/app.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

async function curl(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("curl", ["--silent", "--show-error", "--fail", ...args]);
  return stdout;
}

/** The first address in a page that matches, resolved. */
function find(page: string, pattern: RegExp, base: string): string {
  const [, address = ""] = pattern.exec(page) ?? [];
  expect(address, `${pattern} in ${page}`).not.toBe("");
  return new URL(address.replaceAll("&#38;", "&"), base).href;
}

it.runIf(hasCurl)("leads from / to the file, and to the ZIP of the language", async () => {
  const app = await startApp();
  await app.make.language("es", { nativeName: "Español" });
  await app.make.published("The Deep Well", "es", "El texto del pozo");
  const { port } = z.object({ port: z.int() }).parse(app.server.address());
  const start = `http://127.0.0.1:${port}/`;
  const languages = await curl(start);
  const list = find(languages, /<li><a href="([^"]*)" hreflang="es"/, start);
  const books = await curl(list);
  const book = find(books, /<a href="([^"]*)"><img class="cover"/, list);
  const whole = find(books, /class="offer"><a href="([^"]*)"/, list);
  const form = ["--data-urlencode", "firstName=Sara", "--data-urlencode", "email=sara@example.org"];
  for (const [page, isRight] of [
    [book, (file: string) => file === "El texto del pozo"],
    [whole, (file: string) => file.startsWith("PK")],
  ] as const) {
    const action = find(await curl(page), /<form class="request"[^>]* action="([^"]*)"/, page);
    const ready = new URL(
      await curl("--output", "/dev/null", "--write-out", "%{redirect_url}", ...form, action),
    );
    const file = find(await curl(ready.href), /http-equiv="refresh" content="0; url=([^"]*)"/, ready.href);
    expect(isRight(await curl(file))).toBe(true);
  }
});
