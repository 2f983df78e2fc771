/** PATCH of a record does the same as PUT: what isn't sent keeps its value. */
import { expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { startWithAdmin } from "../support/app.ts";
import { RECIPE_SETTINGS, RECIPES } from "../support/change-recipes.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PATCHES } from "../support/patches.ts";

it("PATCH exists for books, languages, channels, contacts, the library, users and webhooks", () => {
  const paths = routes.filter(({ id }) => PATCHES.has(id)).map(({ path, method }) => `${method} ${path}`);
  expect(paths.sort()).toEqual([
    "patch /api/admin/books/{bookId}",
    "patch /api/admin/channels/{channelId}",
    "patch /api/admin/contacts/{contactId}",
    "patch /api/admin/languages/{langId}",
    "patch /api/admin/library",
    "patch /api/admin/users/{userId}",
    "patch /api/admin/webhooks/{webhookId}",
  ]);
});

it.each([...PATCHES])(
  "%s changes the given fields, as %s does, and reports every error",
  async (id, putId) => {
    const { app, client: admin } = await startWithAdmin(RECIPE_SETTINGS);
    const call = await RECIPES[putId]?.(app);
    const route = routes.find((each) => each.id === id);
    if (!call || !route) throw new Error(`${id} has no recipe or no route`);
    const path = createExamplePath(route, call.ids);
    const { body: before } = await admin.put(path, {});
    const patched = await admin.patch(path, call.body);
    expect(patched.status).toBe(200);
    const [name = ""] = Object.keys(patched.body).filter((key) => key !== "success");
    expect(before[name]).not.toMatchObject(Object(call.body));
    // A role decides the permissions, and the values decide the version.
    const { permissions, version } = patched.body[name];
    expect(patched.body[name]).toEqual({ ...before[name], permissions, version, ...Object(call.body) });
    expect((await admin.put(path, call.body)).body).toEqual(patched.body);
    const rejected = await admin.patch(path, { unknown: 1, another: 2 });
    expectProblem(rejected, 400, { errors: ["unknown unknown_field", "another unknown_field"] });
  },
);
