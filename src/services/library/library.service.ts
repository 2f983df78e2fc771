/** The library for administrators: its settings, its texts in each language, and its logo. */
import { createHash } from "node:crypto";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import { conflict, notFound } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import type { Author } from "../../repositories/change.ts";
import type { CatalogueRepositories, Repositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { LibraryLogoRow, LibraryTextsRow } from "../../repositories/library.repository.ts";
import type {
  Library,
  LibraryTextsRecord,
  LibraryTextsUpdate,
  LibraryUpdate,
} from "../../schemas/library.schemas.ts";
import { invalidField } from "../shared/catalogue-lookup.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import type { Image } from "../shared/results.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { DEFAULT_SETTINGS, type LibraryLogo, presentLogo } from "./library-reader.ts";
import { listTextLanguages, type TextsOfLanguage } from "./library-texts.ts";
import { NO_TEXTS, presentLibrary, presentTexts } from "./presenters.ts";

interface LibraryServiceDeps extends Pick<CatalogueDeps, "reads" | "change" | "clock"> {
  images: Pick<CoverImages, "drawLogo">;
}

/*
 * Every change renews all that is kept of the catalogue: it is on all pages, and rare.
 */
export class LibraryService extends Service<LibraryServiceDeps> {
  get(): Promise<Library> {
    return readLibrary(this.deps.reads);
  }

  update(
    by: Author,
    { contactFields, offersAll, ...given }: LibraryUpdate,
    expected?: ExpectedVersions,
  ): Promise<Library> {
    return this.deps.change(by, async (repositories) => {
      const { library, channels } = repositories;
      assertVersion(expected, await readLibrary(repositories), SETTINGS.id);
      const before = (await library.find()) ?? DEFAULT_SETTINGS;
      const after = {
        ...before,
        ...pickGivenFields(given),
        ...pickGivenFields(contactFields ?? {}),
        ...(offersAll !== undefined && ({ offersAll: offersAll ? 1 : 0 } as const)),
        updatedAt: this.deps.clock.now(),
      };
      if (given.channelId && !(await channels.find(given.channelId)))
        throw invalidField("channelId", "does not exist", "unknown_channel");
      await library.save(after);
      const change = { action: "update", object: SETTINGS, before, after } as const;
      return { response: await readLibrary(repositories), change };
    });
  }

  /** @throws AppError 404 for an unknown language, likewise the methods below */
  async readTexts(code: string): Promise<LibraryTextsRecord> {
    return readTexts(this.deps.reads, await findLanguageByCode(this.deps.reads, code));
  }

  /** @throws AppError 400 for a consent text without a version, 409 for another text under a version that was used */
  updateTexts(
    by: Author,
    code: string,
    given: LibraryTextsUpdate,
    expected?: ExpectedVersions,
  ): Promise<LibraryTextsRecord> {
    return this.deps.change(by, async (repositories) => {
      const { library } = repositories;
      const language = await findLanguageByCode(repositories, code);
      assertVersion(expected, await readTexts(repositories, language), language.code);
      const found = await library.findTexts(language.id);
      const before = textsOf(found);
      const after = { ...before, ...pickGivenFields(given) };
      const now = this.deps.clock.now();
      await keepConsent(repositories, language, after, now);
      await library.saveTexts({ languageId: language.id, ...after, updatedAt: now });
      const change = { action: "update", object: textsObject(language), before, after } as const;
      return { response: await readTexts(repositories, language), change };
    });
  }

  /** Each version of a consent text is kept. */
  async deleteTexts(by: Author, code: string, expected?: ExpectedVersions): Promise<void> {
    await this.deps.change(by, async (repositories) => {
      const language = await findLanguageByCode(repositories, code);
      assertVersion(expected, await readTexts(repositories, language), language.code);
      const found = await repositories.library.findTexts(language.id);
      if (!found) return { response: undefined, change: undefined };
      await repositories.library.deleteTexts(language.id);
      const before = textsOf(found);
      return { response: undefined, change: { action: "delete", object: textsObject(language), before } };
    });
  }

  /** Stores the image as it is drawn anew, without its metadata. */
  async putLogo(by: Author, upload: Inspectable): Promise<LibraryLogo> {
    const { bytes, width, height } = await this.deps.images.drawLogo(upload);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const png = bytes.toString("base64");
    return this.deps.change(by, async ({ library }) => {
      const before = await library.findLogoFacts();
      const now = this.deps.clock.now();
      const facts = { sha256, width, height, fileSizeBytes: bytes.length };
      const after = { ...facts, createdAt: before?.createdAt ?? now, updatedAt: now };
      if (before?.sha256 === sha256) return { response: facts, change: undefined };
      await library.saveLogo({ ...after, png });
      const change = { action: before ? "update" : "create", object: LOGO, after } as const;
      return { response: facts, change: before ? { ...change, before } : change };
    });
  }

  async openLogo(): Promise<Image> {
    const { png, sha256 } = await findLogo(this.deps.reads);
    return { contentType: "image/png", bytes: Buffer.from(png, "base64"), etag: `"${sha256}"` };
  }

  async deleteLogo(by: Author): Promise<void> {
    await this.deps.change(by, async (repositories) => {
      const before = presentLogo(await findLogo(repositories));
      await repositories.library.deleteLogo();
      return { response: undefined, change: { action: "delete", object: LOGO, before } };
    });
  }
}

const SETTINGS = { kind: "library", id: "library", name: "Library" } as const;
const LOGO = { kind: "library", id: "logo", name: "Logo of the library" } as const;
const textsObject = ({ code, name }: LanguageRow) =>
  ({ kind: "library", id: code, name: `Texts of the library (${name})` }) as const;

const readLibrary = async ({ library }: CatalogueRepositories): Promise<Library> =>
  presentLibrary(await library.find(), await library.findLogoFacts());

async function findLanguageByCode({ languages }: CatalogueRepositories, code: string): Promise<LanguageRow> {
  const language = await languages.findByCode(code);
  if (!language) throw notFound("language_not_found", "Language not found.");
  return language;
}

async function readTexts(
  { library, languages }: CatalogueRepositories,
  language: LanguageRow,
): Promise<LibraryTextsRecord> {
  const [, ...others] = listTextLanguages(await languages.list(), language.code);
  const rows = await library.listTexts([language, ...others].map(({ id }) => id));
  const own = rows.find(({ languageId }) => languageId === language.id);
  const { name } = (await library.find()) ?? DEFAULT_SETTINGS;
  return presentTexts(language, own, { languages: others, rows, name });
}

function textsOf(row: LibraryTextsRow | undefined): TextsOfLanguage {
  if (!row) return NO_TEXTS;
  const { languageId: _, updatedAt: __, ...texts } = row;
  return texts;
}

/** Readers have agreed to a version: its text never becomes another one. */
async function keepConsent(
  { consentTexts }: Repositories,
  { id: languageId, code: languageCode }: LanguageRow,
  { consent, consentVersion: version }: TextsOfLanguage,
  createdAt: number,
): Promise<void> {
  if (consent === "") return;
  if (version === "")
    throw invalidField("consentVersion", "is required with a consent text", "text_version_needed");
  const known = await consentTexts.listOf({ languageId, languageCode }, version);
  if (known.some(({ text }) => text !== consent))
    throw conflict(
      "consent_version_needed",
      `The version "${version}" has another consent text, to which readers may have agreed. Send a new \`consentVersion\` with the changed text.`,
    );
  if (known.length === 0)
    await consentTexts.add({ languageId, version, languageCode, text: consent, createdAt });
}

async function findLogo({ library }: CatalogueRepositories): Promise<LibraryLogoRow> {
  const row = await library.findLogo();
  if (!row) throw notFound("logo_not_found", "The library has no logo.");
  return row;
}
