/** The library, where readers confirm their address. */
import { describe, expect, it } from "vitest";
import { BROWSER, cookieOf, startWithConfirmation } from "../support/confirmations.ts";

const FORM = { ...BROWSER, "Content-Type": "application/x-www-form-urlencoded" };
const TYPED = new URLSearchParams({ firstName: "Sara", email: "reader@example.org" }).toString();

async function scene(more: Readonly<Record<string, string>> = {}) {
  const started = await startWithConfirmation("required", { LIBRARY: "true", ...more });
  const { api } = started.app;
  /** Sends a form. @returns the page after it */
  const send = async (path: string) => {
    const { status, headers } = await api.call("post", path, { headers: FORM, body: TYPED });
    expect(status).toBe(303);
    const ready = new URL(headers.location ?? "", `http://host${path}`);
    const page = await api.get(ready.pathname + ready.search, BROWSER);
    return { status: page.status, text: String(page.body) };
  };
  return { ...started, api, send };
}

describe("the page after a form", () => {
  it.each(["/library/en/books/the-well", "/library/en/all"])(
    "says to look into the mail, and its button begins the download after the confirmation: %s",
    async (path) => {
      const { api, send, receivePath, press } = await scene();
      const { status, text } = await send(path);
      expect(status).toBe(200);
      expect(text).toContain("<h1>Please look into your e-mail</h1>");
      expect(text).not.toContain('http-equiv="refresh"');
      const action = /<form method="get" action="[./]*\/(api\/download\/[\w.-]+)">/.exec(text)?.[1];
      expect((await api.get(`/${action}`, BROWSER)).status).toBe(403);
      const { cookie } = await press(await receivePath());
      expect((await api.get(`/${action}`, BROWSER)).status).toBe(200);
      expect((await send(path)).text).toContain("<h1>Please look into your e-mail</h1>");
      expect(cookieOf(cookie).Cookie).toMatch(/^mail\.confirmed=/);
    },
  );

  it("says that the letter may take an hour where it waits for a limit", async () => {
    const { send, receive } = await scene({ MAIL_PER_SENDER_HOUR: "1" });
    expect((await send("/library/en/books/the-well")).text).not.toContain("may take an hour");
    await receive();
    expect((await send("/library/en/books/the-well")).text).toContain("may take an hour");
  });

  it("begins the download where the confirmation is optional", async () => {
    const { send } = await scene({ EMAIL_CONFIRMATION: "optional" });
    expect((await send("/library/en/books/the-well")).text).toContain('http-equiv="refresh"');
  });
});

it("promises above the form neither a download at once nor that no letter is sent", async () => {
  const { api } = await scene();
  const { body } = await api.get("/library/en/books/the-well", BROWSER);
  expect(String(body)).toMatch(
    /<p>Enter your [^.]+ for the download\. We send you news only if [^.]+\.<\/p>/,
  );
});
