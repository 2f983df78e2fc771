/** A cover's thumbnail that was asked for before, through all middlewares, against Express' own `res.sendFile` of the same bytes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { Administrator } from "./administrator.ts";
import { responsesPerSecond } from "./http-load.ts";
import { startMeasured } from "./measured-process.ts";
import { PLAIN_FILES_PROCESS, plainFilesFacts } from "./plain-files-process.ts";
import { type BenchRow, compare, countRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

/** As Chrome asks for an image. */
const ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
const LOAD = { connections: 16, seconds: 2, status: 200, headers: { Accept: ACCEPT } };
const LEAST = 0.65;
const ROUNDS = 5;
const WIDTH = 320;

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-covers-"));
  const ours = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  try {
    const { port, fileSlug } = ours.facts;
    await putCover(port, fileSlug);
    const path = `/api/books/${fileSlug}/cover?languageCode=sw&width=${WIDTH}`;
    return await compareResponses(join(folder, "thumbnail"), port, path);
  } finally {
    await ours.stop();
    await rm(folder, { recursive: true });
  }
}

/** A picture with as much in it as a photograph. */
const photograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 1200,
      height: 1800,
      channels: 3,
      noise: { type: "gaussian", mean: 128, sigma: 30 },
      background: "gray",
    },
  })
    .blur(1.5)
    .jpeg()
    .toBuffer();

/** As the book's own cover. */
async function putCover(port: number, slug: string): Promise<void> {
  const book = await fetch(`http://127.0.0.1:${port}/api/books/${slug}`);
  const { id } = z.object({ id: z.string() }).parse(await book.json());
  const admin = await Administrator.of(port);
  await admin.putCover(id, await photograph());
}

async function compareResponses(file: string, port: number, path: string): Promise<BenchRow[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept: ACCEPT } });
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(file, bytes);
  const express = await startMeasured(PLAIN_FILES_PROCESS, [file], plainFilesFacts);
  try {
    const measured = await compare(
      ROUNDS,
      () => responsesPerSecond({ ...LOAD, port, path }),
      () => responsesPerSecond({ ...LOAD, port: express.facts.port, path: "/express" }),
    );
    const what = `a kept cover of ${WIDTH} px (${bytes.length} bytes), against res.sendFile in an app with nothing else`;
    return [countRow(what, measured, LEAST)];
  } finally {
    await express.stop();
  }
}

if (import.meta.main) console.table(await run());
