/** Imports in tests: as a program does them over the API. */
import { expect } from "vitest";
import type { ImportRun } from "../../src/schemas/import-runs.schemas.ts";
import type { ImportPlan } from "../../src/schemas/imports.schemas.ts";
import { startApp } from "./app.ts";
import type { Client } from "./client.ts";
import { eventually } from "./eventually.ts";
import type { Files } from "./library-runs.ts";
import { hashBytes } from "./stored-files.ts";

export const IMPORTS = "/api/admin/imports";
export const PLANS = "/api/admin/imports/plans";

export async function startImports(...given: Parameters<typeof startApp>) {
  const app = await startApp(...given);
  const client = await app.admin();
  const examine = async (bytes: Buffer, name: string) => {
    const response = await client.upload("post", "/api/admin/files/examine", { file: { bytes, name } });
    expect(response.status).toBe(200);
  };
  const send = (files: Files, more: object = {}) =>
    client.post(PLANS, {
      files: Object.entries(files).map(([path, content]) => ({
        path,
        sha256: hashBytes(Buffer.from(content)),
      })),
      ...more,
    });
  /** Examines what isn't empty, and plans. */
  const plan = async (files: Files, more: object = {}): Promise<ImportPlan> => {
    for (const [path, content] of Object.entries(files))
      if (content.length > 0) await examine(Buffer.from(content), path.replace(/^.*\//, ""));
    const response = await send(files, more);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body;
  };
  return { ...app, app, client, examine, send, plan };
}

export const listFiles = (files: Files) =>
  Object.entries(files).map(([path, content]) => ({ path, sha256: hashBytes(Buffer.from(content)) }));

/** Makes an import, and sends what it misses. */
export async function collect(client: Client, files: Files, more: object = {}): Promise<ImportRun> {
  const made = await client.post(IMPORTS, { files: listFiles(files), ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const byHash = new Map(
    Object.entries(files).map(([path, content]) => [hashBytes(Buffer.from(content)), { path, content }]),
  );
  for (const sha256 of made.body.missing) {
    const { path = "", content = "" } = byHash.get(sha256) ?? {};
    const file = { bytes: Buffer.from(content), name: path.replace(/^.*\//, "") };
    const sent = await client.upload("post", `/api/admin/files/examine?importId=${made.body.id}`, { file });
    expect(sent.status).toBe(200);
  }
  return made.body;
}

export const endOf = (client: Client, id: string): Promise<ImportRun> =>
  eventually(async () => {
    const { body } = await client.get(`${IMPORTS}/${id}`);
    expect(body.state).not.toBe("running");
    return body;
  });

export async function run(client: Client, files: Files, more: object = {}): Promise<ImportRun> {
  const { id } = await collect(client, files, more);
  const started = await client.post(`${IMPORTS}/${id}/start`);
  expect([started.status, started.headers.location]).toEqual([202, `${IMPORTS}/${id}`]);
  return endOf(client, id);
}
