/** The library for readers: its settings, its texts, the versions of its consent texts, and its logo. */
import type { Selectable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { hasRows, Repository } from "./repository.ts";

export type LibraryRow = Selectable<Schema["library"]>;
export type LibraryTextsRow = Selectable<Schema["library_texts"]>;
export type LibraryConsentRow = Selectable<Schema["library_consents"]>;
export type LibraryLogoRow = Selectable<Schema["library_logo"]>;
/** A logo without its bytes. */
export type LibraryLogoFacts = Omit<LibraryLogoRow, "png">;

/** The id of the only row of a table. */
const THIS = "this";

export class LibraryRepository extends Repository {
  /** Undefined as long as nothing was set. */
  find(): Promise<LibraryRow | undefined> {
    return this.db.selectFrom("library").select(allOf("library")).executeTakeFirst();
  }

  async save(settings: Omit<LibraryRow, "id">): Promise<void> {
    await this.db
      .insertInto("library")
      .values({ id: THIS, ...settings })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(settings))
      .execute();
  }

  isChannelShown(channelId: string): Promise<boolean> {
    return hasRows(this.db.selectFrom("library").where("channelId", "=", channelId));
  }

  /** The texts in these languages, in no order. */
  async listTexts(languageIds: readonly number[]): Promise<LibraryTextsRow[]> {
    if (languageIds.length === 0) return [];
    return this.db
      .selectFrom("library_texts")
      .select(allOf("library_texts"))
      .where("languageId", "in", languageIds)
      .execute();
  }

  findTexts(languageId: number): Promise<LibraryTextsRow | undefined> {
    return this.db
      .selectFrom("library_texts")
      .select(allOf("library_texts"))
      .where("languageId", "=", languageId)
      .executeTakeFirst();
  }

  async saveTexts(row: LibraryTextsRow): Promise<void> {
    const { languageId: _, ...texts } = row;
    await this.db
      .insertInto("library_texts")
      .values(row)
      .onConflict((conflict) => conflict.column("languageId").doUpdateSet(texts))
      .execute();
  }

  async deleteTexts(languageId: number): Promise<void> {
    await this.db.deleteFrom("library_texts").where("languageId", "=", languageId).execute();
  }

  findLogo(): Promise<LibraryLogoRow | undefined> {
    return this.db.selectFrom("library_logo").select(allOf("library_logo")).executeTakeFirst();
  }

  findLogoFacts(): Promise<LibraryLogoFacts | undefined> {
    return this.db
      .selectFrom("library_logo")
      .select(["id", "sha256", "width", "height", "fileSizeBytes", "createdAt", "updatedAt"])
      .executeTakeFirst();
  }

  async saveLogo(logo: Omit<LibraryLogoRow, "id">): Promise<void> {
    const { createdAt: _, ...changed } = logo;
    await this.db
      .insertInto("library_logo")
      .values({ id: THIS, ...logo })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(changed))
      .execute();
  }

  async deleteLogo(): Promise<void> {
    await this.db.deleteFrom("library_logo").execute();
  }
}

/** Every version of the library's consent texts. */
export class ConsentTextsRepository extends Repository {
  /** All versions of all languages. */
  async listVersions(): Promise<string[]> {
    const rows = await this.db.selectFrom("library_consents").select("version").distinct().execute();
    return rows.map(({ version }) => version);
  }

  /** The texts with one of these versions, in all languages. */
  async listByVersion(versions: readonly string[]): Promise<LibraryConsentRow[]> {
    if (versions.length === 0) return [];
    return this.db
      .selectFrom("library_consents")
      .select(allOf("library_consents"))
      .where("version", "in", versions)
      .execute();
  }

  /** A version of a language: a language that was deleted and created again has the same code. */
  listOf(
    { languageId, languageCode }: Pick<LibraryConsentRow, "languageId" | "languageCode">,
    version: string,
  ): Promise<LibraryConsentRow[]> {
    return this.db
      .selectFrom("library_consents")
      .select(allOf("library_consents"))
      .where("version", "=", version)
      .where((eb) => eb.or([eb("languageId", "=", languageId), eb("languageCode", "=", languageCode)]))
      .execute();
  }

  async add(row: LibraryConsentRow): Promise<void> {
    await this.db.insertInto("library_consents").values(row).execute();
  }
}
