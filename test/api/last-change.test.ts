/** Who changed a record last, and when, in the response to a change that is based on an older version. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const OLD = { "If-Match": '"older"' };

async function start() {
  const { app, client, make, clock } = await startWithAdmin();
  const { id } = await make.book("Well");
  return { ...app, client, make, clock, path: `/api/admin/books/${id}` };
}

it("is named for users: the author of a creation, of an update, and of an archived book", async () => {
  const { client, make, clock, path } = await start();
  const editor = await make.login("editor");
  const readLast = async () => {
    const response = await client.with(OLD).patch(path, { titleEn: "Mine" });
    expectProblem(response, 412, { code: "changed_meanwhile" });
    return response.body.lastChange;
  };
  expect(await readLast()).toEqual({ at: new Date(clock.now()).toISOString(), by: "admin" });
  clock.advance(60_000);
  await editor.patch(path, { titleEn: "The Deep Well" });
  const at = new Date(clock.now()).toISOString();
  expect(await readLast()).toEqual({ at, by: "editor" });
  clock.advance(60_000);
  await client.delete(path);
  expect(await readLast()).toMatchObject({ by: "admin" });
});

it("is that of a translation for a translation", async () => {
  const { client, make, path } = await start();
  await make.language("es");
  const translation = { languageCode: "es", title: "Pozo" };
  await (await make.login("editor")).post(`${path}/translations`, translation);
  const response = await client.with(OLD).post(`${path}/translations`, { ...translation, title: "El pozo" });
  expect(response.body.lastChange).toMatchObject({ by: "editor" });
});

it("isn't named for API keys: the names of users are for users", async () => {
  const { make, path } = await start();
  const key = await make.apiKey(["edit_books"]);
  const response = await key.with(OLD).patch(path, { titleEn: "Mine" });
  expectProblem(response, 412, { code: "changed_meanwhile" });
  expect(response.body).toHaveProperty("current");
  expect(response.body).not.toHaveProperty("lastChange");
});
