/** A request for a forgotten password does the same work, for an account as for none. */
import { expect, it } from "vitest";
import { changeUser } from "../support/accounts.ts";
import { startWithMail } from "../support/app-with-mail.ts";
import { RESET_PATH } from "../support/password-links.ts";
import { recordWrittenStatements } from "../support/written-statements.ts";

it("runs the same statements for known, unknown and inactive accounts, and over the limit", async () => {
  // Only for SQLite are statements recorded.
  const app = await startWithMail({ DATABASE_URL: "" });
  const { email } = await app.make.user("editor");
  const off = await app.make.user("editor");
  await changeUser(app, off.id, { isActive: 0 });
  // Besides, letters are delivered at any time.
  const statementsFor = async (whose: string) => {
    const ran = await recordWrittenStatements(async () => {
      expect((await app.api.post(RESET_PATH, { email: whose })).status).toBe(202);
    });
    return ran.filter((text) => text.includes("password_"));
  };
  const unknown = await statementsFor("unknown@example.org");
  expect(unknown).toHaveLength(3);
  for (const whose of [email, off.email, email, email, email])
    expect(await statementsFor(whose)).toEqual(unknown);
});

it("changes the database for each, so that none is faster to commit", async () => {
  const app = await startWithMail();
  const { email } = await app.make.user("editor");
  for (const whose of [email, "unknown@example.org", "unknown@example.org"])
    expect((await app.api.post(RESET_PATH, { email: whose })).status).toBe(202);
  const rows = await app.container.database.read.selectFrom("password_requests").selectAll().execute();
  expect(rows).toEqual([{ id: "requests", requests: 3, lastAt: app.clock.now() }]);
});
