/** Imports in tests: as a program does them over the API. */
import { expect } from "vitest";
import type { ImportPlan } from "../../src/schemas/imports.schemas.ts";
import { startApp } from "./app.ts";
import type { Files } from "./library-runs.ts";
import { hashBytes } from "./stored-files.ts";

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
