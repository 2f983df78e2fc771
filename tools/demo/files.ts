// The files of the demo's catalogue, made from its texts: an EPUB of every translation, a PDF where the letters allow it.
import type { DemoBook } from "./book.ts";
import { createBooklets, demoBooks } from "./catalogue.ts";
import { makeEpub } from "./epub.ts";
import { makePdf, pdfLanguages } from "./pdf.ts";

export type DemoFile = {
  slug: string;
  languageCode: string;
  fileType: "epub" | "pdf";
  fileName: string;
  bytes: Buffer;
};

/** In the order of the catalogue; some 35 files of a few kilobytes. */
export async function createDemoFiles(): Promise<DemoFile[]> {
  const perBook = await Promise.all(demoBooks.map(createFiles));
  return perBook.flat();
}

async function createFiles(book: DemoBook): Promise<DemoFile[]> {
  const files: DemoFile[] = [];
  for (const booklet of createBooklets(book)) {
    const { languageCode, title } = booklet;
    const common = { slug: book.slug, languageCode };
    files.push({
      ...common,
      fileType: "epub",
      fileName: `${title} [${languageCode}].epub`,
      bytes: await makeEpub(booklet),
    });
    if (pdfLanguages.includes(languageCode)) {
      files.push({
        ...common,
        fileType: "pdf",
        fileName: `${title} [${languageCode}].pdf`,
        bytes: await makePdf(booklet),
      });
    }
  }
  return files;
}
