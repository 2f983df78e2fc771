/** Who may see what is on record of readers: sessions of analysts and administrators, and nobody else. */
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { expectProblem } from "./expect-problem.ts";

/** @returns what an analyst and an administrator are answered */
export async function expectForAnalysts({ api, make }: TestApp, path: string) {
  expectProblem(await api.get(path), 401);
  expectProblem(await (await make.apiKey()).get(path), 401);
  for (const role of ["editor", "viewer"] as const) {
    expectProblem(await (await make.login(role)).get(path), 403, { code: "permission_missing" });
  }
  const analyst = await (await make.login("analyst")).get(path);
  const admin = await (await make.login("admin")).get(path);
  for (const response of [analyst, admin]) expect(response.status).toBe(200);
  return [analyst, admin];
}
