/** Checks for what is probably mixed up: files in a wrong place, and books that are there twice. Reads no file. */
import { foldForSearch } from "../../lib/text.ts";
import type {
  EqualFile,
  LikeEdition,
  MixUpsRepository,
  NamedBook,
  SaidRow,
} from "../../repositories/mix-ups.repository.ts";
import { storedSeries, storedTexts } from "../../schemas/credits.schemas.ts";
import type { Remark } from "../../schemas/remarks.schemas.ts";
import { findRemarks, relateLanguages } from "../files/find-remarks.ts";
import { OtherEditions } from "../files/other-editions.ts";
import { readPages } from "../shared/export-pages.ts";
import type { Watch } from "./checks.ts";
import type { Findings } from "./findings.ts";

/** Far more than the findings that are listed. */
const MAX_ROWS = 5_000;
const PAGE_ROWS = 500;

interface MixUpDeps {
  findings: Findings;
  rows: MixUpsRepository;
  watch: Watch;
}

export async function checkMixUps(deps: MixUpDeps): Promise<void> {
  await checkPlaces(deps);
  await checkSimilarBooks(deps);
  await checkEqualFiles(deps);
}

/** Files that say another language, title or ISBN than their place, as far as they were read. */
async function checkPlaces({ findings, rows, watch }: MixUpDeps): Promise<void> {
  findings.begin("misplaced_file");
  const related = relateLanguages(await rows.listLanguages());
  const readAfter = (last: SaidRow | undefined) => rows.listSaidAfter(last?.id ?? "", PAGE_ROWS);
  for await (const page of readPages<SaidRow>(PAGE_ROWS, readAfter)) {
    const places = page.map((row) => readPlace(row, related.get(row.languageId) ?? []));
    const others = await OtherEditions.read(rows, places);
    for (const place of places) {
      watch.signal.throwIfAborted();
      const compared = { ...place, areOfAnotherBook: others.find(place) };
      if (findRemarks(place.said, compared).length === 0) continue;
      const titles = await rows.listTitles(place.bookId);
      const otherTitles = titles.filter((each) => each !== place.title);
      const remarks = findRemarks(place.said, { ...compared, otherTitles });
      if (remarks.length === 0) continue;
      const said = remarks.map(describeRemark).join("; ");
      const { fileId, fileName, book, languageCode } = place;
      const message = `It says ${said}. It is in the book ${describeBook(book)} in ${languageCode}.`;
      findings.add("misplaced_file", { kind: "file", id: fileId, name: fileName }, message);
    }
  }
}

const readPlace = (row: SaidRow, relatedCodes: readonly string[]) => ({
  fileId: row.id,
  fileName: row.fileName,
  fileType: row.fileType,
  bookId: row.bookId,
  book: { id: row.bookId, slug: row.slug, titleEn: row.titleEn },
  said: { title: row.saidTitle, languageCode: row.saidCode, isbn: row.saidIsbn },
  languageCode: row.code,
  relatedCodes,
  title: row.title ?? row.inheritedTitle,
  isbn: row.title === null ? row.inheritedIsbn : row.isbn,
  titleEn: row.titleEn,
  otherNames: row.series === null ? [] : [storedSeries.parse(JSON.parse(row.series)).name],
  otherTitles: [],
});

function describeRemark({ code, found, expected }: Remark): string {
  if (code === "language_differs") return `the language ${found}`;
  if (code === "title_differs") return `the title “${found}”`;
  return expected === null
    ? `the ISBN ${found} of another book`
    : `the ISBN ${found} in place of ${expected}`;
}

/** Editions with the same folded title and authors in one language. */
async function checkSimilarBooks({ findings, rows, watch }: MixUpDeps): Promise<void> {
  findings.begin("similar_books");
  const pairs = pairEditions(await rows.listLikeEditions(MAX_ROWS));
  watch.signal.throwIfAborted();
  const books = await rows.findBooks(pairs.flatMap(({ first, bookId }) => [first, bookId]));
  for (const { first, bookId, codes } of pairs) {
    const [one, other] = [books.get(first), books.get(bookId)];
    if (!one || !other) continue;
    const message = `${describeBook(other)} has the same title and authors as ${describeBook(one)} in ${[...codes].join(", ")}.`;
    findings.add("similar_books", { kind: "book", id: bookId, name: other.slug }, message);
  }
}

interface Pair {
  first: string;
  bookId: string;
  codes: Set<string>;
}

/** Each book with the first one that is like it, and the languages in which it is. */
function pairEditions(editions: readonly LikeEdition[]): Pair[] {
  const pairs = new Map<string, Pair>();
  const sameTitles = Map.groupBy(editions, ({ languageCode, title }) => `${languageCode}\n${title}`);
  for (const sameTitle of sameTitles.values()) {
    const firsts = new FirstBooks();
    for (const { bookId, languageCode, authors } of sameTitle) {
      const first = firsts.findOrAdd(bookId, foldNames(authors));
      if (first === bookId) continue;
      const pair = pairs.get(`${first} ${bookId}`) ?? { first, bookId, codes: new Set() };
      pair.codes.add(languageCode);
      pairs.set(`${first} ${bookId}`, pair);
    }
  }
  return [...pairs.values()];
}

/** The first books of one title, by authors. A book whose authors aren't known can be any of them. */
class FirstBooks {
  readonly #byAuthors = new Map<string, string>();
  #first: string | undefined;

  findOrAdd(bookId: string, authors: string): string {
    const known = this.#byAuthors.get(authors) ?? (authors === "" ? this.#first : this.#byAuthors.get(""));
    this.#first ??= bookId;
    if (known === undefined) this.#byAuthors.set(authors, bookId);
    return known ?? bookId;
  }
}

/** The stored lists of names are JSON. */
const foldNames = (names: string): string =>
  storedTexts.parse(JSON.parse(names)).map(foldForSearch).sort().join("\n");

const describeBook = ({ titleEn, slug, id }: NamedBook): string => `“${titleEn}” (${slug}, ${id})`;

/** The same bytes in two books. */
async function checkEqualFiles({ findings, rows, watch }: MixUpDeps): Promise<void> {
  findings.begin("equal_files");
  const files = await rows.listEqualFiles(MAX_ROWS);
  watch.signal.throwIfAborted();
  for (const [first, ...others] of Map.groupBy(files, ({ sha256 }) => sha256).values()) {
    for (const file of others) {
      if (!first || file.bookId === first.bookId) continue;
      const message = `${describePlace(file)} has the bytes of ${first.fileName}, a file of ${describePlace(first)}.`;
      findings.add("equal_files", { kind: "file", id: file.id, name: file.fileName }, message);
    }
  }
}

const describePlace = ({ bookId: id, slug, titleEn, languageCode }: EqualFile): string =>
  `${describeBook({ id, slug, titleEn })} in ${languageCode}`;
