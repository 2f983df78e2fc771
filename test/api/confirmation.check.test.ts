/** Readers confirm their address: what a link delivers before and after, and in which browsers. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { BROWSER, confirmPathOf, cookieOf, startWithConfirmation } from "../support/confirmations.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { downloadCounts, listEvents } from "../support/reader.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("with a confirmation that is required, a link", () => {
  it("delivers and counts nothing until the button in the letter is pressed", async () => {
    const { app, ask, receivePath, press } = await startWithConfirmation("required");
    const { downloadUrl, confirmation } = await ask();
    expect(confirmation).toBe("required");
    const path = await receivePath();
    expectProblem(await app.api.get(downloadUrl), 403, { code: "email_not_confirmed" });
    expect((await app.api.head(downloadUrl)).status).toBe(403);
    expect(await listEvents(app)).toMatchObject([{ redeemedAt: null }]);
    const { body } = await press(path);
    expect(body).toEqual({
      confirmed: true,
      downloadUrl: expect.stringMatching(/^\/api\/download\/[\w.-]+$/),
      expiresAt: "2026-03-02T12:00:00.000Z",
    });
    for (const link of [downloadUrl, body.downloadUrl])
      expect((await app.api.get(link)).body.toString()).toBe("Text of The Well");
    expect(Object.values(await downloadCounts(app))).toEqual([1]);
    app.clock.advance(DAY - MINUTE);
    expect((await app.api.get(body.downloadUrl)).status).toBe(200);
  });

  it("to a whole language delivers nothing either", async () => {
    const { app, receivePath, press } = await startWithConfirmation("required");
    const { downloadUrl, confirmation } = await bodyOf(
      app.api.post("/api/download/submit-all", { contact, languageCode: "en" }),
    );
    expect(confirmation).toBe("required");
    expectProblem(await app.api.get(downloadUrl), 403, { code: "email_not_confirmed" });
    await press(await receivePath());
    expect((await app.api.get(downloadUrl)).headers["content-type"]).toBe("application/zip");
  });

  it("says in a browser to look into the mail, with a button that opens it again", async () => {
    const { app, ask } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    const { status, body } = await app.api.get(downloadUrl, BROWSER);
    expect(status).toBe(403);
    expect(String(body)).toContain("<h1>Please look into your e-mail</h1>");
    expect(String(body)).toContain(
      '<form method="get"><button type="submit" class="primary">I have confirmed',
    );
    expect(String(body)).not.toContain("may take an hour");
  });

  it("is confirmed by the letter of another request of the same day", async () => {
    const { app, ask, receive, receivePath, press } = await startWithConfirmation("required");
    const first = await ask();
    const path = await receivePath();
    app.clock.advance(MINUTE);
    const second = await ask();
    expect(await receive()).toEqual([]);
    app.clock.advance(MINUTE);
    await press(path);
    for (const { downloadUrl } of [first, second]) expect((await app.api.get(downloadUrl)).status).toBe(200);
    const later = await ask();
    expectProblem(await app.api.get(later.downloadUrl), 403);
  });

  it("of the day before isn't, but for that of the letter", async () => {
    const { app, ask, receivePath, press } = await startWithConfirmation("required");
    await ask();
    const path = await receivePath();
    app.clock.advance(HOUR);
    await ask();
    app.clock.advance(2 * DAY);
    const unconfirmed = async () => (await listEvents(app)).map(({ isUnconfirmed }) => isUnconfirmed);
    expect(await unconfirmed()).toEqual([1, 1]);
    await press(path);
    expect(await unconfirmed()).toEqual([0, 1]);
  });

  it("is renewed as what it was", async () => {
    const { app, ask, receivePath, press } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    app.clock.advance(HOUR);
    const renewed = await bodyOf(app.api.post(`${downloadUrl}/renewal`));
    expectProblem(await app.api.get(renewed.downloadUrl), 403);
    await press(await receivePath());
    expect((await app.api.get(renewed.downloadUrl)).status).toBe(200);
    app.clock.advance(HOUR);
    const again = await bodyOf(app.api.post(`${downloadUrl}/renewal`));
    expect((await app.api.get(again.downloadUrl)).status).toBe(200);
  });

  it("stays closed after the reader was erased", async () => {
    const { app, client, ask, receivePath, findReader } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    const path = await receivePath();
    await bodyOf(client.delete(`/api/admin/contacts/${(await findReader()).id}`));
    expectProblem(await app.api.get(downloadUrl), 403, { code: "email_not_confirmed" });
    for (const sent of [app.api.get(path), app.api.post(path)])
      expectProblem(await sent, 404, { code: "confirmation_unknown" });
  });

  it("delivers where the rule has changed since", async () => {
    const { app, client, language, ask } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    await bodyOf(client.patch(`/api/admin/languages/${language.id}`, { emailConfirmation: "optional" }));
    expect((await app.api.get(downloadUrl)).status).toBe(200);
  });
});

describe("a browser in which the button was pressed", () => {
  it("gets later requests of this reader at once, for 90 days", async () => {
    const { app, ask, receivePath, press } = await startWithConfirmation("required");
    await ask();
    const { cookie } = await press(await receivePath());
    expect(cookie).toMatch(
      /^mail\.confirmed=[\w.-]+; Path=\/api\/download; Expires=.*; HttpOnly; Secure; SameSite=Lax$/,
    );
    const known = app.api.with(cookieOf(cookie));
    app.clock.advance(89 * DAY);
    const { downloadUrl, confirmation } = await ask();
    expect(confirmation).toBe("required");
    expectProblem(await app.api.get(downloadUrl), 403);
    expect((await known.get(downloadUrl)).status).toBe(200);
    const other = await ask({ contact: { ...contact, email: "other@example.org" } });
    expectProblem(await known.get(other.downloadUrl), 403);
    app.clock.advance(DAY + MINUTE);
    expectProblem(await known.get((await ask()).downloadUrl), 403);
  });

  it("is also the one that opens the link of a confirmed request, but not of one that was never withheld", async () => {
    const { app, client, language, ask, receivePath, press } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    await press(await receivePath());
    const opened = await app.api.get(downloadUrl);
    const [cookie = ""] = [opened.headers["set-cookie"] ?? []].flat();
    const known = app.api.with(cookieOf(cookie));
    expect((await known.get((await ask()).downloadUrl)).status).toBe(200);
    expect((await known.get(downloadUrl)).headers["set-cookie"]).toBeUndefined();
    await bodyOf(client.patch(`/api/admin/languages/${language.id}`, { emailConfirmation: "optional" }));
    const typed = await app.api.get((await ask()).downloadUrl);
    expect([typed.status, typed.headers["set-cookie"]]).toEqual([200, undefined]);
  });

  it("isn't known any more once the contact has another address, or was erased", async () => {
    const { app, client, ask, receivePath, press, findReader } = await startWithConfirmation("required");
    await ask();
    const path = await receivePath();
    const { cookie } = await press(path);
    const known = app.api.with(cookieOf(cookie));
    const { id } = await findReader();
    const email = "new@example.org";
    const corrected = await bodyOf(client.patch(`/api/admin/contacts/${id}`, { email }));
    expect(corrected.contact.verifiedAt).toBeNull();
    app.clock.advance(HOUR);
    const { downloadUrl } = await ask({ contact: { ...contact, email } });
    expectProblem(await known.get(downloadUrl), 403);
    // The link of the former mailbox confirms nothing.
    expectProblem(await app.api.post(path), 404, { code: "confirmation_unknown" });
    await press(await receivePath());
    app.clock.advance(HOUR);
    const again = await ask({ contact: { ...contact, email } });
    expectProblem(await known.get(again.downloadUrl), 403);
    await bodyOf(client.delete(`/api/admin/contacts/${id}`));
    const fresh = await ask();
    expectProblem(await known.get(fresh.downloadUrl), 403);
  });

  it.each(["", "x", "j:{}", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30."])(
    "isn't one with a cookie that this service has not signed: %j",
    async (value) => {
      const { app, ask } = await startWithConfirmation("required");
      const { downloadUrl } = await ask();
      expectProblem(await app.api.get(downloadUrl, { Cookie: `mail.confirmed=${value}` }), 403);
    },
  );
});

describe("the link of the letter", () => {
  it("shows a page with one button, and changes nothing", async () => {
    const { app, ask, receivePath } = await startWithConfirmation("required");
    await ask();
    const path = await receivePath();
    const before = await dumpOf(app);
    const { status, headers, body } = await app.api.get(path, BROWSER);
    expect([status, headers["referrer-policy"], headers["cache-control"]]).toEqual([
      200,
      "no-referrer",
      "private, no-store",
    ]);
    expect(String(body).match(/<button/g)).toHaveLength(1);
    expect(String(body)).toContain('<form method="post" action="confirm">');
    expect(headers["set-cookie"]).toBeUndefined();
    expect((await app.api.head(path)).status).toBe(200);
    expect(await dumpOf(app)).toEqual(before);
  });

  it("leads browsers to a page with the download, again and again", async () => {
    const { app, ask, receivePath, findReader } = await startWithConfirmation("required");
    await ask();
    const path = await receivePath();
    const headers = { ...BROWSER, Origin: "null", "Content-Type": "application/x-www-form-urlencoded" };
    for (const minutes of [0, 10]) {
      app.clock.advance(minutes * MINUTE);
      const { status, body, headers: got } = await app.api.call("post", path, { headers, body: "" });
      expect([status, got["set-cookie"]]).toEqual([200, expect.anything()]);
      expect(String(body)).toContain("<h1>Your address is confirmed</h1>");
      const link = /href="\.\.\/\.\.\/\.\.(\/api\/download\/[\w.-]+)"/.exec(String(body))?.[1] ?? "";
      expect((await app.api.get(link)).status).toBe(200);
    }
    expect((await findReader()).verifiedAt).toBe("2026-03-01T12:00:00.000Z");
  });

  it("ends after a week", async () => {
    const { app, ask, receivePath } = await startWithConfirmation("required");
    await ask();
    const path = await receivePath();
    app.clock.advance(7 * DAY - 1000);
    expect((await app.api.get(path)).status).toBe(200);
    app.clock.advance(1000);
    for (const sent of [app.api.get(path), app.api.post(path)])
      expectProblem(await sent, 410, { code: "confirmation_expired" });
  });

  it("is unknown with any other token", async () => {
    const { app, ask, receivePath } = await startWithConfirmation("required");
    const { downloadUrl } = await ask();
    const path = await receivePath();
    const tokens = ["x", downloadUrl.split("/").at(-1), `${path.split("/")[3]}x`];
    for (const token of tokens)
      for (const sent of [
        app.api.get(`/api/mail/${token}/confirm`),
        app.api.post(`/api/mail/${token}/confirm`),
      ])
        expectProblem(await sent, 404, { code: "confirmation_unknown" });
    // Nor does a token of a letter download.
    expectProblem(await app.api.get(`/api/download/${path.split("/")[3]}`), 404);
  });

  it("counts as a download", async () => {
    const { app, ask, receivePath } = await startWithConfirmation("required", { RATE_LIMIT_DOWNLOAD: "2" });
    await ask();
    const path = await receivePath();
    expect((await app.api.get(path)).status).toBe(200);
    expect((await app.api.post(path)).status).toBe(200);
    expectProblem(await app.api.get(path), 429);
    expectProblem(await app.api.post(path), 429);
  });
});

describe("responses to forms", () => {
  it("are the same for known and unknown addresses, and where a limit keeps the letter back", async () => {
    const { ask, receivePath, press } = await startWithConfirmation("required", { MAIL_LINK: "true" });
    const shape = ({ downloadUrl, ...rest }: Record<string, unknown>) => [typeof downloadUrl, rest];
    const first = shape(await ask());
    const path = await receivePath();
    expect(shape(await ask())).toEqual(first);
    await press(path);
    expect(shape(await ask())).toEqual(first);
    expect(shape(await ask({ contact: { ...contact, email: "other@example.org" } }))).toEqual(first);
  });

  it.each([
    ["off", undefined, []],
    ["optional", "sent", ["Please confirm your address: The Well"]],
    ["required", "required", ["Please confirm your address: The Well"]],
  ] as const)("say the rule: %s", async (rule, confirmation, subjects) => {
    const { app, ask, receive } = await startWithConfirmation(rule);
    const answered = await ask();
    expect(answered.confirmation).toBe(confirmation);
    expect((await receive()).map(({ mail }) => mail.subject)).toEqual(subjects);
    expect((await app.api.get(answered.downloadUrl)).status).toBe(rule === "required" ? 403 : 200);
  });

  it("say a language's own rule", async () => {
    const { app, client, ask } = await startWithConfirmation("off");
    const es = await app.make.language("es", { emailConfirmation: "required" });
    await app.make.published("The Tree", "es");
    const other = { slug: "the-tree", languageCode: "es" };
    expect((await ask(other)).confirmation).toBe("required");
    expect((await ask()).confirmation).toBe("none");
    const { features } = await bodyOf(client.get("/api/auth/session"));
    expect(features.emailConfirmation).toBe(true);
    await bodyOf(client.put(`/api/admin/languages/${es.id}`, { emailConfirmation: null }));
    expect(Object.keys(await ask(other))).not.toContain("confirmation");
    expect((await bodyOf(client.get("/api/auth/session"))).features.emailConfirmation).toBe(false);
  });

  it("lead to a page that says that the letter may take an hour, where a limit is reached", async () => {
    const { app, ask, receive } = await startWithConfirmation("required", { MAIL_PER_HOUR: "1" });
    await ask();
    expect((await receive()).length).toBe(1);
    const late = await ask({ contact: { ...contact, email: "late@example.org" } });
    expect(await receive()).toEqual([]);
    expect(Object.keys(late).sort()).toEqual([
      "confirmation",
      "downloadUrl",
      "expiresAt",
      "fileName",
      "fileSizeBytes",
      "fileType",
    ]);
    expect(String((await app.api.get(late.downloadUrl, BROWSER)).body)).toContain("may take an hour");
    app.clock.advance(HOUR);
    const [letter] = await receive();
    expect(letter && confirmPathOf(letter)).toMatch(/confirm$/);
  });
});

it("the rule of a language needs letters", async () => {
  const { app, client: admin } = await startWithAdmin();
  const { id } = await app.make.language("en");
  for (const sent of [
    admin.post("/api/admin/languages", { code: "es", emailConfirmation: "required" }),
    admin.patch(`/api/admin/languages/${id}`, { emailConfirmation: "off" }),
  ])
    expectProblem(await sent, 400, {
      code: "mail_not_configured",
      errors: ["emailConfirmation mail_not_configured"],
    });
  const cleared = await bodyOf(admin.patch(`/api/admin/languages/${id}`, { emailConfirmation: null }));
  expect(cleared.language.emailConfirmation).toBeNull();
});
