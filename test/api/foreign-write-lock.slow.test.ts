/** Another program writes to the SQLite file for a while, as a database browser does that was left open after an edit. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { listContacts } from "../support/reader.ts";

async function scene() {
  const app = await startApp();
  await app.make.published("The Well", "es");
  const foreign = new Database(join(app.dataDir, "database.sqlite"));
  onTestFinished(() => void foreign.close());
  const form = { slug: "the-well", languageCode: "es", contact };
  let isAnswered = false;
  /** Sends a form while the lock is held. */
  const submit = () => {
    foreign.exec("begin immediate");
    return app.api.post("/api/download/submit", form).finally(() => {
      isAnswered = true;
    });
  };
  return { app, foreign, submit, isAnswered: () => isAnswered };
}

describe.skipIf(process.env.DATABASE_URL !== undefined)("beside the write lock of another program", () => {
  it("a form waits for it, and reads and health don't", async () => {
    const { app, foreign, submit, isAnswered } = await scene();
    const submitted = submit();
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await app.api.get("/api/health")).status).toBe(200);
      expect((await app.api.get(`/api/books?languageCode=es&page=${turn + 1}`)).status).toBe(200);
      expect((await app.api.get("/api/books/the-well")).status).toBe(200);
    }
    expect(isAnswered()).toBe(false);
    foreign.exec("commit");
    expect((await submitted).status).toBe(200);
    expect(await listContacts(app)).toMatchObject([{ email: contact.email }]);
  });

  it("a form is 503 after five seconds, and the next one is taken", async () => {
    const { app, foreign, submit } = await scene();
    const began = performance.now();
    const submitted = submit();
    expect((await app.api.get("/api/health")).status).toBe(200);
    expectProblem(await submitted, 503, { code: "database_unavailable" });
    expect(performance.now() - began).toBeGreaterThan(4900);
    foreign.exec("rollback");
    const form = { slug: "the-well", languageCode: "es", contact };
    expect((await app.api.post("/api/download/submit", form)).status).toBe(200);
  });
});
