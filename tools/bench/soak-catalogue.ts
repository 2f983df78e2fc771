/** What there is to ask for in the soak. */
import { Administrator, askForLink, logIn } from "./administrator.ts";

export interface SoakCatalogue {
  languages: readonly string[];
  books: readonly { id: string; slug: string; fileIds: readonly string[] }[];
  /** Paths of downloads that work for ten minutes: of files, of ZIPs, of a file that is too large to be sent at once. */
  links: readonly string[];
  archiveLinks: readonly string[];
  largeLinks: readonly string[];
  large: { slug: string; languageCode: string };
  /** Of an administrator. */
  cookie: string;
}

const LANGUAGES = ["en", "es", "fr", "ar", "zh"];
const BOOKS = 40;
const FILE_BYTES = 30_000;
const LARGE_BYTES = 20_000_000;

export async function makeSoakCatalogue(port: number): Promise<SoakCatalogue> {
  const admin = await Administrator.of(port);
  for (const code of LANGUAGES) await admin.addLanguage(code);
  const books: { id: string; slug: string; fileIds: string[] }[] = [];
  for (let number = 1; number <= BOOKS; number += 1) {
    const { id, slug } = await admin.addBook(`Book number ${number}`);
    const fileIds: string[] = [];
    for (const code of LANGUAGES) fileIds.push((await admin.upload(id, code, FILE_BYTES + number)).id);
    books.push({ id, slug, fileIds });
  }
  const { slug } = await admin.addLargeBook("sw", LARGE_BYTES);
  return {
    languages: LANGUAGES,
    books,
    links: [await askForLink(port, "en", books[0]?.slug)],
    archiveLinks: [await askForLink(port, "en")],
    largeLinks: [await askForLink(port, "sw", slug)],
    large: { slug, languageCode: "sw" },
    cookie: await logIn(port),
  };
}
