/** How many statements a form runs for its letter on the connection that writes. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { mailSettings, startMailServer } from "../support/mail-server.ts";
import { recordWrittenStatements } from "../support/written-statements.ts";

it("a letter is written by one statement for its limits, and one that adds it", async () => {
  const { app } = await startWithAdmin(mailSettings(await startMailServer(), { MAIL_LINK: "true" }));
  await app.make.published("The Well", "en");
  const form = { contact, slug: "the-well", languageCode: "en" };
  const ran = await recordWrittenStatements(() => app.api.post("/api/download/submit", form));
  const ofForm = ran.slice(0, ran.indexOf("commit"));
  expect(ofForm.filter((text) => /outbox|mail_recipients/.test(text))).toEqual([
    expect.stringMatching(/^insert into mail_recipients/),
    expect.stringMatching(/^insert into "outbox"/),
  ]);
});
