/** The demo's files, as the service reads them. */
import { expect, it } from "vitest";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { listFilesBelow } from "../../src/operation/transfer/local-files.ts";
import { demoBooks } from "../../tools/demo/catalogue.ts";
import { createDemoFiles } from "../../tools/demo/files.ts";
import { writeFiles } from "../support/book-files.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

it("the files of the demo are an EPUB of each translation and a PDF of those in Latin letters, which say what they are", async () => {
  const files = await createDemoFiles();
  expect(await createDemoFiles()).toEqual(files);
  const folder = createTempFolder();
  writeFiles(folder, Object.fromEntries(files.map(({ fileName, bytes }) => [fileName, bytes])));
  const read = await Promise.all(
    (await listFilesBelow(folder, (place) => expect.unreachable(place))).map(async (file) => {
      const { fileType, metadata } = await examineFile(file, undefined, reader);
      return `${fileType} ${metadata.languageCode} ${metadata.title}`;
    }),
  );
  const due = demoBooks.flatMap(({ translations }) =>
    translations.flatMap(({ languageCode, title }) =>
      ["epub", ...(["en", "es", "fr"].includes(languageCode) ? ["pdf"] : [])].map(
        (type) => `${type} ${languageCode} ${title}`,
      ),
    ),
  );
  expect(read.sort()).toEqual(due.sort());
});
