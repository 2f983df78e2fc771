/** Indexes and tables that are missing below a running service: what needs them is 503 until they are there again. */
import { sql } from "kysely";
import { expect, inject, it } from "vitest";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { createTxt } from "../support/stored-files.ts";

const run = ({ container: { database } }: TestApp, statement: string) =>
  database.commit(() => sql.raw(statement).execute(database.writer));

it("a replacement without the index of what was replaced is 503, and works again with it", async () => {
  const { app, client } = await startWithAdmin();
  const { book, file } = await app.make.published("Well", "es", "first");
  const replace = () =>
    client.call("put", `/api/admin/books/${book.id}/files/${file.id}`, {
      headers: { "content-type": "application/octet-stream" },
      body: createTxt("second"),
    });
  await run(app, "drop index replaced_bytes_file");
  const refused = await replace();
  expectProblem(refused, 503, { code: "database_unavailable" });
  expect(refused.headers["retry-after"]).toBe("5");
  expect((await app.api.get("/api/books?languageCode=es")).status).toBe(200);
  await run(app, `create unique index replaced_bytes_file on replaced_bytes ("fileId", sha256)`);
  expect((await replace()).status).toBe(200);
});

// SQLite makes the index of a column that is unique itself, and doesn't drop it.
it.runIf(inject("postgres"))("so is a form without the index of addresses", async () => {
  const { app } = await startWithAdmin();
  const { book } = await app.make.published("Well", "es");
  const submit = () => app.api.post("/api/download/submit", { slug: book.slug, languageCode: "es", contact });
  await run(app, "alter table contacts drop constraint contacts_email_key");
  const refused = await submit();
  expectProblem(refused, 503, { code: "database_unavailable" });
  expect(refused.headers["retry-after"]).toBe("5");
  await run(app, "alter table contacts add constraint contacts_email_key unique (email)");
  expect((await submit()).status).toBe(200);
});

// As while a dump is restored.
it.runIf(inject("postgres"))("so are forms, lists and exports without a table", async () => {
  const { app, client } = await startWithAdmin();
  await app.make.language("es");
  const { book } = await app.make.published("Well", "es");
  const requests = [
    () => app.api.post("/api/download/submit", { slug: book.slug, languageCode: "es", contact }),
    () => client.get("/api/admin/contacts"),
    () => client.get("/api/admin/contacts/export"),
  ];
  await run(app, "alter table contacts rename to contacts_away");
  for (const request of requests) {
    const refused = await request();
    expectProblem(refused, 503, { code: "database_unavailable" });
    expect(refused.headers["retry-after"]).toBe("5");
  }
  await run(app, "alter table contacts_away rename to contacts");
  await run(app, "create table catalogue_away as select * from catalogue_version");
  await run(app, "delete from catalogue_version");
  const list = await app.api.get("/api/books?languageCode=es");
  expectProblem(list, 503, { code: "database_unavailable" });
  await run(app, "insert into catalogue_version select * from catalogue_away");
  expect((await app.api.get("/api/books?languageCode=es")).status).toBe(200);
  for (const request of requests) expect((await request()).status).toBe(200);
});
