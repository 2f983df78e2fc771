/** The slugs that books had and the codes that languages had, by which readers' links to them still work. */
import { Repository } from "./repository.ts";

export interface FormerCode {
  /** In lower case. */
  codeKey: string;
  languageId: number;
  leftAt: number;
}

export class FormerAddressesRepository extends Repository {
  /** The last book that had a slug counts. */
  async keepSlug(slug: string, bookId: string, leftAt: number): Promise<void> {
    await this.db
      .insertInto("former_slugs")
      .values({ slug, bookId, leftAt })
      .onConflict((conflict) => conflict.column("slug").doUpdateSet({ bookId, leftAt }))
      .execute();
  }

  /** @param codeKey in lower case */
  async keepCode(codeKey: string, languageId: number, leftAt: number): Promise<void> {
    await this.db
      .insertInto("former_codes")
      .values({ codeKey, languageId, leftAt })
      .onConflict((conflict) => conflict.column("codeKey").doUpdateSet({ languageId, leftAt }))
      .execute();
  }

  /** The slug of the book that had this one; undefined if a book has it now. @param since when it was left at the earliest */
  async findSlug(slug: string, since: number): Promise<string | undefined> {
    const row = await this.db
      .selectFrom("former_slugs")
      .innerJoin("books", "books.id", "former_slugs.bookId")
      .select("books.slug")
      .where("former_slugs.slug", "=", slug)
      .where("leftAt", ">=", since)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("books as current").select("current.id").where("current.slug", "=", slug))),
      )
      .executeTakeFirst();
    return row?.slug;
  }

  /** All codes that languages had. */
  listCodes(): Promise<FormerCode[]> {
    return this.db.selectFrom("former_codes").select(["codeKey", "languageId", "leftAt"]).execute();
  }

  async deleteOld(before: number): Promise<void> {
    await this.db.deleteFrom("former_slugs").where("leftAt", "<", before).execute();
    await this.db.deleteFrom("former_codes").where("leftAt", "<", before).execute();
  }
}
