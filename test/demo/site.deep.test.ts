/** The demo as a newcomer starts it: a page that one can open, until Ctrl-C. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";

it("prints the address of the library, which shows the sample books, and stops", {
  timeout: 180_000,
}, async () => {
  const demo = spawn(process.execPath, ["tools/demo/demo.ts"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void demo.kill("SIGKILL"));
  const ended = once(demo, "close");
  let library = "";
  for await (const line of createInterface({ input: demo.stdout })) {
    library ||= /Library +(http:\S+)/.exec(line)?.[1] ?? "";
    if (line.includes("Ctrl-C")) break;
  }
  const page = await fetch(library, { headers: { Accept: "text/html", "Accept-Language": "ar" } });
  expect(page.headers.get("content-language")).toBe("ar");
  expect(await page.text()).toContain('<ul class="books" lang="ar" dir="rtl">');
  expect((await fetch(`${library}console/`)).status).toBe(200);
  // What is read no longer must not stop it.
  demo.stdout.resume();
  demo.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  await expect(fetch(library)).rejects.toThrow("fetch failed");
});
