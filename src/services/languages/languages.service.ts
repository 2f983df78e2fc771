/** Languages: names, domains, parents, and deletion with everything that belongs to them. */
import { conflict } from "../../errors.ts";
import { findDirection, findLanguageNames, listParentCodes } from "../../lib/bcp47.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import type { Author } from "../../repositories/change.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { UnauditedRepositories } from "../../repositories/index.ts";
import type {
  LanguageCounts,
  LanguageRow,
  LanguagesRepository,
  LanguageUsageQuery,
} from "../../repositories/languages.repository.ts";
import type {
  CreatedLanguage,
  Language,
  LanguageCreation,
  LanguageDeletionMode,
  LanguageUpdate,
  LanguageUsage,
  ListedLanguage,
} from "../../schemas/languages.schemas.ts";
import { eraseContacts } from "../contacts/erase-contacts.ts";
import type { ReleasedBytes } from "../files/released-bytes.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { findLanguage, invalidField, needsLetters } from "../shared/catalogue-lookup.ts";
import type { CatalogueVersions } from "../shared/catalogue-versions.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { presentLanguage } from "./presenters.ts";

/** Events deleted in one write, each possibly of a different contact. Bounds how long the event loop is blocked. */
const EVENTS_PER_WRITE = 400;

interface LanguageDeletion {
  modes: readonly (LanguageDeletionMode | undefined)[];
  expected?: ExpectedVersions;
}

interface LanguagesServiceDeps extends Pick<CatalogueDeps, "change" | "write" | "clock"> {
  languages: LanguagesRepository;
  usage: LanguageUsageQuery;
  versions: Pick<CatalogueVersions, "readCurrent">;
  released: Pick<ReleasedBytes, "removeNow">;
  /** Whether letters are written. */
  hasLetters: boolean;
}

export class LanguagesService extends Service<LanguagesServiceDeps> {
  /** By language: all files are read for it. */
  readonly #counts = new CatalogueCache<Map<number, LanguageCounts>>({
    maxSize: 1,
    sizeCalculation: () => 1,
  });

  async list(): Promise<{ languages: ListedLanguage[] }> {
    const { languages, versions, usage } = this.deps;
    const counts = await this.#counts.getOrCompose(await versions.readCurrent(), "", async () => {
      const rows = await usage.countFiles();
      return new Map(rows.map((row) => [row.languageId, row]));
    });
    const rows = await languages.list();
    const suggestParent = createParentSuggestion(rows);
    return {
      languages: rows.map((row) => {
        const { booksCount = 0, filesCount = 0 } = counts.get(row.id) ?? {};
        return { ...presentLanguage(row), suggestedParentId: suggestParent(row), booksCount, filesCount };
      }),
    };
  }

  async countUsage(id: number): Promise<LanguageUsage> {
    await findLanguage(this.deps.languages, id);
    return this.deps.usage.of(id);
  }

  async create(by: Author, given: LanguageCreation): Promise<CreatedLanguage> {
    const now = this.deps.clock.now();
    rejectConfirmation(given, this.deps.hasLetters);
    const names = findLanguageNames(given.code);
    return this.deps.change(by, async ({ languages }) => {
      await rejectUnfitParent(languages, given.parentId ?? null, undefined);
      await rejectTaken(languages, given, undefined);
      const after = await languages.add({
        code: given.code,
        codeKey: given.code.toLowerCase(),
        name: given.name ?? names.name,
        nativeName: given.nativeName ?? names.nativeName,
        direction: given.direction ?? findDirection(given.code),
        parentId: given.parentId ?? null,
        customDomain: given.customDomain || null,
        legacyDownloadCount: given.legacyDownloadCount ?? 0,
        isActive: given.isActive ?? 1,
        emailConfirmation: given.emailConfirmation ?? null,
        createdAt: now,
        updatedAt: now,
      });
      const suggestedParentId = createParentSuggestion(await languages.list())(after);
      const response = { ...presentLanguage(after), suggestedParentId };
      return { response, change: { action: "create", object: languageObject(after), after } };
    });
  }

  async update(
    by: Author,
    id: number,
    given: LanguageUpdate,
    expected?: ExpectedVersions,
  ): Promise<Language> {
    rejectConfirmation(given, this.deps.hasLetters);
    const row = await this.deps.change(by, async ({ languages, formerAddresses }) => {
      const before = await findLanguage(languages, id);
      assertVersion(expected, presentLanguage(before));
      if (given.parentId !== undefined) await rejectUnfitParent(languages, given.parentId, id);
      await rejectTaken(languages, given, id);
      const recoded = given.code === undefined ? {} : deriveDirection(before, given.code);
      const updatedAt = this.deps.clock.now();
      // An empty text removes the domain.
      const domain = given.customDomain === "" ? { customDomain: null } : {};
      const after = await languages.update(id, {
        ...recoded,
        ...pickGivenFields(given),
        ...domain,
        updatedAt,
      });
      if (after.codeKey !== before.codeKey) await formerAddresses.keepCode(before.codeKey, id, updatedAt);
      return { response: after, change: { action: "update", object: languageObject(after), before, after } };
    });
    return presentLanguage(row);
  }

  /**
   * Deletes the language with its translations, files, covers and publications. Events are deleted only if the mode
   * says so; their contacts are then updated. The language is closed before its events are deleted: a request that is
   * committed later finds it closed. If the deletion is interrupted, the language stays closed and the deletion can be
   * repeated.
   * @param options.modes from the query and the body of the request
   */
  async delete(by: Author, id: number, { modes, expected }: LanguageDeletion): Promise<void> {
    const mode = assertAgreedMode(modes);
    if (mode === "delete_all") {
      await this.#close(by, id, expected);
      const deleteSome = (repositories: Repositories) =>
        deleteEventsOfLanguage(repositories, id, this.deps.clock.now());
      while (await this.deps.write(deleteSome));
    }
    const { released, change, clock } = this.deps;
    const hashes = await change(by, async (repositories) => {
      const { languages, releasedBytes, events } = repositories;
      const row = await findLanguage(languages, id);
      // What was closed for its deletion is in another version.
      if (mode !== "delete_all") assertVersion(expected, presentLanguage(row));
      const before = { ...row, mode };
      const hashes = await releasedBytes.releaseOf({ languageId: id }, clock.now());
      if (mode === "delete_all") {
        // There are more only if an administrator has activated the language again.
        while (await deleteEventsOfLanguage(repositories, id, clock.now()));
        await events.deleteUnusedArchives(id);
      }
      await languages.delete(id);
      return { response: hashes, change: { action: "delete", object: languageObject(before), before } };
    });
    await released.removeNow(hashes);
  }

  #close(by: Author, id: number, expected: ExpectedVersions): Promise<void> {
    return this.deps.change(by, async ({ languages }) => {
      const before = await findLanguage(languages, id);
      if (before.isActive === 0) {
        assertVersionBeforeClosing(expected, before);
        return { response: undefined, change: undefined };
      }
      assertVersion(expected, presentLanguage(before));
      const after = await languages.update(id, { isActive: 0, updatedAt: this.deps.clock.now() });
      const change = { action: "update", object: languageObject(after), before, after } as const;
      return { response: undefined, change };
    });
  }
}

/** Also accepts the version of the language while it was active: the repetition of an interrupted deletion names it. */
function assertVersionBeforeClosing(expected: ExpectedVersions, closed: LanguageRow): void {
  const { version } = presentLanguage({ ...closed, isActive: 1 });
  if (Array.isArray(expected) && expected.includes(version)) return;
  assertVersion(expected, presentLanguage(closed));
}

const languageObject = ({ id, code }: LanguageRow) => ({ kind: "language", id, name: code }) as const;

/**
 * The key follows the code. The text direction does too, unless it was set to a value other than the default of the old
 * code.
 */
function deriveDirection(known: LanguageRow, code: string) {
  const isOwnDirection = known.direction === findDirection(known.code);
  return { codeKey: code.toLowerCase(), ...(isOwnDirection && { direction: findDirection(code) }) };
}

/** Deleted events can't be recovered: contradicting modes in query and body are rejected. */
function assertAgreedMode(modes: readonly (LanguageDeletionMode | undefined)[]): LanguageDeletionMode {
  const [mode = "preserve_analytics", other] = new Set(modes.filter((given) => given !== undefined));
  if (other !== undefined) throw invalidField("mode", "differs between query and body", "contradiction");
  return mode;
}

async function rejectTaken(languages: LanguagesRepository, given: LanguageUpdate, ownId: number | undefined) {
  const isOther = (row: LanguageRow | undefined) => row !== undefined && row.id !== ownId;
  if (given.code !== undefined && isOther(await languages.findByCode(given.code))) {
    throw conflict("language_code_taken", `A language with the code “${given.code}” already exists.`);
  }
  if (given.customDomain && isOther(await languages.findByDomain(given.customDomain))) {
    throw conflict("custom_domain_taken", `Another language has the custom domain “${given.customDomain}”.`);
  }
}

/** Without letters, nothing can be confirmed. */
function rejectConfirmation({ emailConfirmation }: LanguageUpdate, hasLetters: boolean): void {
  if (emailConfirmation && !hasLetters)
    throw needsLetters("emailConfirmation", "needs letters: set SMTP_URL");
}

/** The hierarchy has two levels: a parent has no parent, and a language with sub-languages can't get one. */
async function rejectUnfitParent(
  languages: LanguagesRepository,
  parentId: number | null,
  ownId: number | undefined,
) {
  if (parentId === null) return;
  const parent = await languages.find(parentId);
  if (!parent) throw invalidField("parentId", "does not exist", "unknown_language");
  if (parent.id === ownId) throw invalidField("parentId", "must not be the language itself", "unfit_parent");
  if (parent.parentId !== null) {
    throw invalidField("parentId", "must not be a sub-language", "unfit_parent");
  }
  if (ownId !== undefined && (await languages.hasChildren(ownId))) {
    throw invalidField("parentId", "can't be set: this language has sub-languages", "unfit_parent");
  }
}

type Repositories = Pick<UnauditedRepositories, "events" | "contacts" | "outbox">;

/**
 * Deletes the oldest events of the language, a bounded number. Reduces the download counts of their contacts; the first
 * and last download dates become those of the remaining events. Contacts without remaining events are deleted with their
 * consents.
 * @returns whether there were any
 */
async function deleteEventsOfLanguage(
  repositories: Repositories,
  languageId: number,
  now: number,
): Promise<boolean> {
  const { events, contacts } = repositories;
  const oldest = await events.listOldestOfLanguage(languageId, EVENTS_PER_WRITE);
  await events.delete(oldest.map(({ id }) => id));
  const goneOf = Map.groupBy(oldest, (event) => event.contactId);
  const known = await contacts.withSpans([...goneOf.keys()].filter((id) => id !== null));
  // Sent together: on PostgreSQL every wait is a round trip, and all writers wait for it.
  const idle = known.filter(({ first }) => first === null).map(({ id }) => id);
  const deleted = eraseContacts(repositories, idle, now);
  const updated = known.map(async ({ first, last, ...contact }) => {
    if (first === null || last === null) return;
    const gone = goneOf.get(contact.id) ?? [];
    await contacts.update(contact.id, subtractDownloads(contact, gone, { first, last }));
  });
  await Promise.all([deleted, ...updated]);
  return oldest.length > 0;
}

/**
 * A date is kept if none of the deleted downloads has it: it can be that of an event that was detached from its
 * contact.
 */
function subtractDownloads(
  { totalDownloads, firstDownloadAt, lastDownloadAt }: Downloads,
  gone: readonly { downloadedAt: number }[],
  left: { first: number; last: number },
): Downloads {
  const times = gone.map(({ downloadedAt }) => downloadedAt);
  return {
    totalDownloads: Math.max(totalDownloads - gone.length, 1),
    firstDownloadAt: Math.min(...times) > firstDownloadAt ? firstDownloadAt : left.first,
    lastDownloadAt: Math.max(...times) < lastDownloadAt ? lastDownloadAt : left.last,
  };
}

type Downloads = Pick<ContactRow, "totalDownloads" | "firstDownloadAt" | "lastDownloadAt">;

/** A function that suggests parents among the languages. The hierarchy has two levels. */
function createParentSuggestion(languages: readonly LanguageRow[]): (row: LanguageRow) => number | null {
  const parents = new Set(languages.map(({ parentId }) => parentId));
  const idByCode = new Map(
    languages.filter(({ parentId }) => parentId === null).map(({ codeKey, id }) => [codeKey, id]),
  );
  return ({ id, code, parentId }) => {
    if (parentId !== null || parents.has(id)) return null;
    const found = listParentCodes(code).map((each) => idByCode.get(each.toLowerCase()));
    return found.find((each) => each !== undefined) ?? null;
  };
}
