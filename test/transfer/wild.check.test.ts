/** Files as programs of others write them: each is a book, and says what a reader of its format finds in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import { z } from "zod";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { findFileBelow } from "../../src/operation/transfer/local-files.ts";
import { startWithAdmin } from "../support/app.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";

const FOLDER = join(import.meta.dirname, "../data/wild");

const text = z.string().optional();
const expectation = z.strictObject({
  fileType: text,
  title: text,
  languageCode: text,
  isbn: text,
  authors: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  series: z.object({ name: z.string(), position: z.number() }).optional(),
  hasCover: z.boolean().optional(),
  /** Red, green, blue. */
  colour: z.array(z.number()).optional(),
  refused: z.boolean().optional(),
  planned: z.boolean().optional(),
  noPath: z.boolean().optional(),
});

const kinds = readdirSync(FOLDER).map((kind) => {
  const given: unknown = JSON.parse(readFileSync(join(FOLDER, kind, "expected.json"), "utf8"));
  return { kind, files: Object.entries(z.record(z.string(), expectation).parse(given)) };
});
const files = kinds.flatMap(({ kind, files }) =>
  files.map(([name, expected]) => ({ place: `${kind}/${name}`, expected })),
);
const withName = (place: string) => ({
  bytes: readFileSync(join(FOLDER, place)),
  name: place.replace(/^.*\//, ""),
});

it("an examination says of each what a reader finds, without objection, and names no path of the server", async () => {
  const { client } = await startWithAdmin();
  for (const { place, expected } of files) {
    const { refused, planned: _, noPath: __, colour: ___, fileType, hasCover, ...metadata } = expected;
    const response = await client.upload("post", "/api/admin/files/examine", { file: withName(place) });
    expect(response.status, place).toBe(200);
    const found = response.body;
    expect(JSON.stringify(found), place).not.toMatch(/\/tmp|examined\.part/);
    if (refused) expect(found.errors, place).toEqual([expect.stringMatching(/^The file is a film\. /)]);
    else {
      expect(found, place).toMatchObject({
        errors: [],
        fileType: fileType ?? expect.any(String),
        hasCover: hasCover ?? expect.any(Boolean),
        metadata: Object.keys(metadata).length > 0 ? metadata : expect.toSatisfy(() => true),
      });
    }
  }
});

const reader = createMetadataReader();

it.each(files)("an import reads $place", async ({ place, expected }) => {
  const { refused, planned: _, noPath: __, colour, fileType, hasCover, ...metadata } = expected;
  const examined = examineFile(await findFileBelow(FOLDER, place), undefined, reader);
  if (refused) return expect(examined).rejects.toThrow(/^The file is a film\. /);
  const found = await examined;
  if (fileType !== undefined) expect(found.fileType).toBe(fileType);
  if (hasCover !== undefined) expect(found.metadata.cover !== undefined).toBe(hasCover);
  if (colour) expect(await readAverage((await found.metadata.cover?.()) ?? Buffer.alloc(0))).toEqual(colour);
  expect(found.metadata).toMatchObject(metadata);
});

async function readAverage(picture: Buffer): Promise<number[]> {
  return [...(await sharp(picture).resize(1, 1).removeAlpha().raw().toBuffer())];
}
