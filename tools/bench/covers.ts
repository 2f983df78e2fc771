/** A cover's thumbnail that was asked for before, through all middlewares, against Express' own `res.sendFile` of the same bytes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { responsesPerSecond } from "./http-load.ts";
import { logIn } from "./log-in.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare, countRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";
import { THUMBNAIL_PROCESS, thumbnailFacts } from "./thumbnail-process.ts";

const LOAD = { connections: 16, milliseconds: 2000, status: 200 };
const ROUNDS = 5;
const WIDTH = 320;
/** As Chrome asks for an image. */
const ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

/** Where Express sends the file from, and how many times its speed is due. */
const OTHERS = [
  { path: "/behind", what: "behind the same middlewares", least: 1 },
  { path: "/alone", what: "in an app with nothing else", least: 0.65 },
];

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

async function putCover(port: number, slug: string): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  const book = await fetch(`${base}/api/books/${slug}`);
  const { id } = z.object({ id: z.string() }).parse(await book.json());
  const response = await fetch(`${base}/api/admin/books/${id}/covers/sw`, {
    method: "PUT",
    headers: { Cookie: await logIn(port), "Content-Type": "image/jpeg" },
    body: new Uint8Array(await photograph()),
  });
  if (!response.ok)
    throw new Error(`The cover is answered with ${response.status}: ${await response.text()}`);
}

async function compareResponses(file: string, port: number, path: string): Promise<BenchRow[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept: ACCEPT } });
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(file, bytes);
  const express = await startMeasured(THUMBNAIL_PROCESS, [file], thumbnailFacts);
  const speedOf = (of: { port: number; path: string }) => {
    const text = `GET ${of.path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: ${ACCEPT}\r\n\r\n`;
    return responsesPerSecond({ ...LOAD, port: of.port, request: () => text });
  };
  const rows: BenchRow[] = [];
  try {
    for (const other of OTHERS) {
      const measured = await compare(
        ROUNDS,
        () => speedOf({ port, path }),
        () => speedOf({ port: express.facts.port, path: other.path }),
      );
      const what = `a kept cover of ${WIDTH} px (${bytes.length} bytes), against res.sendFile ${other.what}`;
      rows.push(countRow(what, measured, other.least));
    }
    return rows;
  } finally {
    await express.stop();
  }
}

if (import.meta.main) console.table(await run());
