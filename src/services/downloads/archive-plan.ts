/** The contents of a language's ZIP: its members, their names and order, and the identity of that set. */
import { createHash } from "node:crypto";
import { zipEntryNames } from "../../lib/file-names.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { type ActiveFileRow, scopeIds } from "../../repositories/publication.repository.ts";
import { extensionOf } from "../../schemas/file-types.ts";
import { fileTypeOf } from "../books/presenters.ts";
import { CatalogueCache, type CatalogueVersions } from "../catalogue/catalogue-cache.ts";
import { filesIn, partsByBook, textsIn } from "../catalogue/publication-parts.ts";

export interface ArchiveMember {
  name: string;
  file: ActiveFileRow;
}

export interface ArchivePlan {
  /** SHA-256 in hex of everything that determines the bytes of the ZIP. */
  id: string;
  members: ArchiveMember[];
  bookIds: string[];
  totalBytes: number;
}

/** Increase this if the same members would be packed into different bytes. */
const LAYOUT_VERSION = 1;
const REMEMBERED_MEMBERS = 100_000;

interface ArchivePlansDeps {
  reads: CatalogueRepositories;
  versions: CatalogueVersions;
}

export class ArchivePlans {
  readonly #deps: ArchivePlansDeps;
  readonly #plans = new CatalogueCache<ArchivePlan>({
    maxSize: REMEMBERED_MEMBERS,
    sizeCalculation: (plan) => plan.members.length + 1,
  });

  constructor(deps: ArchivePlansDeps) {
    this.#deps = deps;
  }

  /** The plan for the current catalogue. Throws 404 if there are no members. */
  async of(language: LanguageRow): Promise<ArchivePlan> {
    const version = await this.#deps.versions.catalogueVersion();
    return this.#plans.of(version, `${language.id}`, () => this.#compose(language));
  }

  async #compose(language: LanguageRow): Promise<ArchivePlan> {
    const { publication, translations } = this.#deps.reads;
    const books = await publication.listAll({ language });
    const partsOf = partsByBook({
      files: await publication.activeFilesOfLanguage(language),
      translations: await translations.listOfLanguages(scopeIds(language)),
      places: [],
    });
    const files = books.flatMap((book, index) => {
      const parts = partsOf(book.id);
      const title = textsIn(parts.translations, language).title ?? book.titleEn;
      return filesIn(parts.files, language).map((file) => ({ file, title, position: index + 1 }));
    });
    const names = zipEntryNames(
      files.map(({ file, title, position }) => ({
        position,
        title,
        languageCode: language.code,
        extension: extensionOf(fileTypeOf(file)),
      })),
    );
    const members = files.map(({ file }, index) => ({ name: names[index] ?? file.id, file }));
    return {
      id: identityOf(members),
      members,
      bookIds: books.map((book) => book.id),
      totalBytes: members.reduce((sum, { file }) => sum + file.fileSizeBytes, 0),
    };
  }
}

function identityOf(members: readonly ArchiveMember[]): string {
  const facts = members.map(({ name, file }) => [name, file.sha256, file.cloudUrl, file.fileSizeBytes]);
  return createHash("sha256")
    .update(JSON.stringify([LAYOUT_VERSION, facts]))
    .digest("hex");
}
