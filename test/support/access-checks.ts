/** Calls every operation of the route table with credentials, and compares each response with what the table says. */
import { expect } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import { startApp, type TestApp } from "./app.ts";
import { dumpOf } from "./database-dump.ts";
import { type Credential, createEveryCredential } from "./every-credential.ts";
import { callExample } from "./example-calls.ts";
import { expectProblem } from "./expect-problem.ts";
import { createOneOfEverything } from "./one-of-everything.ts";

/** Of the public operations, those that take the API key of a site's server: with an invalid one they are closed. */
export const TAKES_KEYS = ["POST /api/download/submit", "POST /api/download/submit-all"];

export const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
export const guarded = routes.filter(({ access }) => !access.isPublic);

/** Chooses the credentials with which a route is called. @param number of the route */
export type Choice = (credentials: readonly Credential[], number: number) => readonly Credential[];

/** All of them. */
export const all: Choice = (credentials) => credentials;

/** All valid ones, none at all, and another invalid one for each route. */
export const makeOneInvalid: Choice = (credentials, number) => {
  const invalid = credentials.filter(({ kind }) => kind === "nothing");
  const chosen = [invalid.find(({ name }) => name === "nothing"), invalid[number % invalid.length]];
  return credentials.filter((credential) => credential.kind !== "nothing" || chosen.includes(credential));
};

/** What the route table says: 401, 403, or undefined if the operation admits the credential. */
function expectRejection(
  { access }: Route,
  { kind, permissions, headers }: Credential,
): 401 | 403 | undefined {
  if (access.isPublic && (access.credentials.length === 0 || !("Authorization" in headers))) return undefined;
  if (kind === "nothing" || !access.credentials.includes(kind)) return 401;
  return access.permission && !permissions.includes(access.permission) ? 403 : undefined;
}

async function createScene() {
  const app = await startApp();
  let ids: Readonly<Record<string, string | number>> = {};
  const credentials = await createEveryCredential(app, async () => {
    const made = await createOneOfEverything(app);
    ids = made;
    return made.slugOrId;
  });
  return { app, ids, credentials };
}

const call = (app: TestApp, route: Route, ids: Readonly<Record<string, string | number>>, by: Credential) =>
  callExample(app.api.with(by.headers), route, ids);

/** A key's first use is noted; here it is over before anything is compared. */
async function useOnce(app: TestApp, credentials: readonly Credential[]): Promise<void> {
  for (const { headers } of credentials) await app.api.get("/api/admin/books", headers);
}

/**
 * Calls every operation with the credentials that the route table rejects.
 * @returns the number of calls
 */
export async function expectRejections(choice: Choice): Promise<number> {
  const { app, ids, credentials } = await createScene();
  await useOnce(app, credentials);
  const before = await dumpOf(app);
  let rejected = 0;
  const takingKeys = routes.filter((route) => TAKES_KEYS.includes(nameOf(route)));
  for (const [number, route] of [...guarded, ...takingKeys].entries()) {
    for (const by of choice(credentials, number)) {
      const due = expectRejection(route, by);
      if (due === undefined) continue;
      const response = await call(app, route, ids, by);
      expect(response.status, `${nameOf(route)} by ${by.name}`).toBe(due);
      expectProblem(response, due, { code: due === 401 ? "unauthenticated" : "permission_missing" });
      expect(response.headers["www-authenticate"]?.startsWith("Bearer ")).toBe(due === 401 || undefined);
      rejected += 1;
    }
    expect(await dumpOf(app), `after the rejected calls of ${nameOf(route)}`).toEqual(before);
  }
  return rejected;
}

/** Calls every operation with the credentials that the route table admits. */
export async function expectAdmissions(choice: Choice): Promise<void> {
  const { app, ids, credentials } = await createScene();
  // Logging out ends the sessions that the others need.
  const last = (route: Route) => (route.id === "logout" ? 1 : 0);
  const admittedBy = new Map<string, number>();
  for (const [number, route] of routes.toSorted((a, b) => last(a) - last(b)).entries()) {
    for (const by of choice(credentials, number)) {
      if (expectRejection(route, by) !== undefined) continue;
      // A log-in may well be wrong.
      const response = await call(app, route, ids, by);
      const isAdmitted = ![401, 403].includes(response.status) || response.body.code === "wrong_credentials";
      expect(isAdmitted, `${nameOf(route)} by ${by.name}: ${response.status}`).toBe(true);
      admittedBy.set(route.id, (admittedBy.get(route.id) ?? 0) + 1);
    }
  }
  expect([...admittedBy.keys()].sort()).toEqual(routes.map((route) => route.id).sort());
}
