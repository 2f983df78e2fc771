/** The demo as a newcomer starts it: a page that one can open, until Ctrl-C. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";

it("prints the address of the public page, serves it for the service, and stops both", {
  timeout: 180_000,
}, async () => {
  const demo = spawn(process.execPath, ["tools/demo/demo.ts"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void demo.kill("SIGKILL"));
  const ended = once(demo, "close");
  let [site, service] = ["", ""];
  for await (const line of createInterface({ input: demo.stdout })) {
    site ||= /Public page +(http:\S+)/.exec(line)?.[1] ?? "";
    service ||= /Published books +(http:\S+)\/api\/books/.exec(line)?.[1] ?? "";
    if (line.includes("Ctrl-C")) break;
  }
  const page = await fetch(site);
  expect(page.headers.get("content-security-policy")).toContain(`connect-src ${service};`);
  expect(await page.text()).toContain(`<meta name="book-service" content="${service}">`);
  expect(await (await fetch(`${site}/plain.html`)).text()).toContain(
    `action="${service}/api/download/submit"`,
  );
  expect((await fetch(`${site}/app.js`)).headers.get("content-type")).toMatch(/^text\/javascript/);
  const books = await fetch(`${service}/api/books`, { headers: { origin: site } });
  expect(books.headers.get("access-control-allow-origin")).toBe(site);
  // What is read no longer must not stop it.
  demo.stdout.resume();
  demo.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  await expect(fetch(site)).rejects.toThrow("fetch failed");
});
