/** For the pages of administrators: a key, changes in the audit log, and a report of the doctor with findings. */
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { type ConsoleScene, startConsole } from "./console-scene.ts";
import { eventually } from "./eventually.ts";

/** @returns once the report is there */
export async function examine({ admin }: Pick<TestApp, "admin">): Promise<void> {
  const client = await admin();
  const { headers } = await client.post("/api/admin/doctor/runs", {});
  const isDone = async () => expect((await client.get(String(headers.location))).body.status).toBe("done");
  await eventually(isDone, { timeout: 20_000 });
}

export async function startAdministration(): Promise<ConsoleScene> {
  const scene = await startConsole();
  const client = await scene.admin();
  await client.post("/api/admin/api-keys", { name: "Website", scopes: ["view_books", "submit_downloads"] });
  const change = { titleEn: "The Deeper Well", tags: ["water", "folk tales"], description: "About a well." };
  await client.put(`/api/admin/books/${scene.well.id}`, change);
  await examine(scene);
  return scene;
}
