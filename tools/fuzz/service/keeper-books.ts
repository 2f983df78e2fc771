// A book with all that a book may have.
import { FIRST_FILE, IMAGES } from "../requests/contents.ts";
import type { Body } from "../requests/request.ts";

interface Part {
  method: string;
  /** Below the book's. */
  path: string;
  body: Body;
}

/** In two of the languages: a translation, an uploaded file and a cover in one, a link in the other. */
export function createFullBook(titleEn: string, codes: readonly string[], cloud: string) {
  const number = Number(titleEn.replaceAll(/\D/g, ""));
  const here = codes[number % codes.length] ?? "en";
  const there = codes[(number + 1) % codes.length] ?? "en";
  const [image, former] = IMAGES;
  const parts: Part[] = [
    {
      method: "POST",
      path: "/files",
      body: {
        kind: "form",
        parts: [
          { name: "languageCode", content: here },
          { name: "fileType", content: "txt" },
          { name: "file", ...FIRST_FILE },
        ],
      },
    },
    {
      method: "POST",
      path: "/files",
      body: {
        kind: "json",
        value: {
          languageCode: there,
          fileType: "pdf",
          sourceType: "url",
          cloudUrl: `${cloud}/${number}.pdf`,
          fileName: "book.pdf",
        },
      },
    },
    { method: "PUT", path: `/covers/${here}`, body: { kind: "bytes", ...image } },
    { method: "PUT", path: "/covers/default", body: { kind: "bytes", ...former } },
    { method: "PUT", path: "/covers/default", body: { kind: "bytes", ...image } },
  ];
  const translations = [{ languageCode: here, title: `${titleEn} in ${here}` }];
  return { book: { titleEn, translations }, parts };
}
