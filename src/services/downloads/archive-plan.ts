/** The contents of a language's ZIP: its members, their names and order, and the identity of that set. */
import { createHash } from "node:crypto";
import { splitIntoBatches } from "../../lib/collections.ts";
import { mapInTurns } from "../../lib/event-loop.ts";
import { zipEntryNames } from "../../lib/file-names.ts";
import type { PublicRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type { Credits } from "../../schemas/credits.schemas.ts";
import { extensionOf } from "../../schemas/file-types.ts";
import { chooseCredits, chooseFiles, findTexts, groupPartsByBook } from "../catalogue/publication-parts.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import type { CatalogueVersions } from "../shared/catalogue-versions.ts";
import { formatContributors, formatNames } from "../shared/credits.ts";
import { Service } from "../shared/service.ts";
import { fileTypeOf } from "../shared/stored-values.ts";

interface ArchiveMember {
  name: string;
  file: ActiveFileRow;
}

export interface ArchivePlan {
  /** SHA-256 in hex of everything that determines the bytes of the ZIP. */
  id: string;
  members: ArchiveMember[];
  /** The text of CREDITS.txt; undefined if no book has an author or a license. */
  credits: string | undefined;
  bookIds: string[];
  totalBytes: number;
}

/** Increase this if the same members would be packed into different bytes. */
const LAYOUT_VERSION = 1;
/** Their rows are read beside the event loop, and arrive there in a few milliseconds. */
const BOOKS_AT_ONCE = 200;
/** A member takes about a kilobyte. */
const REMEMBERED_MEMBERS = 100_000;

interface ArchivePlansDeps {
  catalogue: PublicRepositories;
  versions: CatalogueVersions;
}

export class ArchivePlans extends Service<ArchivePlansDeps> {
  readonly #plans = new CatalogueCache<ArchivePlan>({
    maxSize: REMEMBERED_MEMBERS,
    sizeCalculation: ({ members, credits = "" }) => members.length + 1 + Math.ceil(credits.length / 1000),
  });

  /** The plan for the current catalogue. Throws 404 if there are no members. */
  async getPlan(language: LanguageRow): Promise<ArchivePlan> {
    const state = await this.deps.versions.readCurrent();
    return this.#plans.getOrCompose(state.scopeOf(language.id), `${language.id}`, () =>
      this.#compose(language, state.at),
    );
  }

  async #compose(language: LanguageRow, at: number): Promise<ArchivePlan> {
    const bookIds = await this.deps.catalogue.published.ids({ language, at });
    const files: { file: ActiveFileRow; title: string; position: number }[] = [];
    const credited: CreditedBook[] = [];
    for (const batch of splitIntoBatches(bookIds, BOOKS_AT_ONCE)) {
      for (const { book, parts } of await this.#readParts(batch, language)) {
        const title = findTexts(parts.translations, language).title ?? book.titleEn;
        const position = credited.length + 1;
        files.push(...chooseFiles(parts.files, language).map((file) => ({ file, title, position })));
        credited.push({ position, title, credits: chooseCredits(parts.translations, language, book) });
      }
    }
    const names = zipEntryNames(
      files.map(({ file, title, position }) => ({
        position,
        title,
        languageCode: language.code,
        extension: extensionOf(fileTypeOf(file)),
      })),
    );
    const members: ArchiveMember[] = await mapInTurns(files, ({ file }) => ({
      name: names.next().value ?? file.id,
      file,
    }));
    const credits = formatCredits(credited);
    return {
      id: computeIdentity(members, credits),
      members,
      credits,
      bookIds,
      totalBytes: members.reduce((sum, { file }) => sum + file.fileSizeBytes, 0),
    };
  }

  /** In the order of the ids. A book that was deleted since is left out: the next version has another plan. */
  async #readParts(bookIds: readonly string[], language: LanguageRow) {
    const { books, publication, translations } = this.deps.catalogue;
    const ids = scopeIds(language);
    const partsOf = groupPartsByBook({
      files: await publication.listActiveFiles(bookIds, ids),
      translations: await translations.listOfBooks(bookIds, ids),
      places: [],
    });
    const rows = new Map((await books.findCredits(bookIds)).map((row) => [row.id, row]));
    return bookIds.flatMap((id) => {
      const book = rows.get(id);
      return book ? [{ book, parts: partsOf(id) }] : [];
    });
  }
}

function computeIdentity(members: readonly ArchiveMember[], credits: string | undefined): string {
  const facts = members.map(({ name, file }) => [name, file.sha256, file.cloudUrl, file.fileSizeBytes]);
  const texts = credits === undefined ? [] : [credits];
  return createHash("sha256")
    .update(JSON.stringify([LAYOUT_VERSION, facts, ...texts]))
    .digest("hex");
}

interface CreditedBook {
  /** As in the names of its files. */
  position: number;
  title: string;
  credits: Credits;
}

const CREDITS_HEADING = "Authors, contributors and licenses of the books in this archive";

/** One block for each book. Licenses such as CC BY require that the author and the license are named with the work. */
function formatCredits(books: readonly CreditedBook[]): string | undefined {
  if (!books.some(({ credits: { authors, license } }) => authors.length > 0 || license !== null))
    return undefined;
  return `${[CREDITS_HEADING, ...books.map(formatBookCredits)].join("\r\n\r\n")}\r\n`;
}

function formatBookCredits({ position, title, credits }: CreditedBook): string {
  const { authors, contributors, publisher, license, isbn } = credits;
  const fields = [
    ["Authors", formatNames(authors)],
    ["Contributors", formatContributors(contributors)],
    ["Publisher", publisher],
    ["License", license],
    ["ISBN", isbn],
  ];
  const lines = fields.flatMap(([label, value]) => (value ? `${label}: ${value}` : []));
  return [`${position}. ${title}`, ...lines].join("\r\n");
}
