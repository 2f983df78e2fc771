/** Finds the book of a title without a slug. A slug that is derived from a title is a key only together with the title. */
import { z } from "zod";
import {
  canonicalizeTitle,
  createFormerFolderSlug,
  createFormerSlug,
  findSlugNumber,
} from "../../lib/slug.ts";
import type { BookRow, TitledSlug } from "../../repositories/books.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";

/** A title, the slug that is derived from it, and the titles of editions. */
interface DerivedSlug {
  slug: string;
  titleEn: string;
  translations: readonly { languageId: number; title: string }[];
}

/** The book, if it exists, or another one that the slug belongs to. */
type FoundByTitle = { book: BookRow | undefined } | { other: TitledSlug };

type Repositories = Pick<CatalogueRepositories, "books" | "translations">;

export async function findByTitle(repositories: Repositories, derived: DerivedSlug): Promise<FoundByTitle> {
  const { books } = repositories;
  const wanted = canonicalizeTitle(derived.titleEn);
  const isTitled = ({ titleEn }: TitledSlug) => canonicalizeTitle(titleEn) === wanted;
  const own = await books.findBySlug(derived.slug);
  if (own && isTitled(own)) return { book: own };
  const former = await findFormer(repositories, derived);
  const numbered = await listNumbered(repositories, [derived.slug, ...former.slugs]);
  const titled = [...former.books, ...numbered].find(isTitled);
  if (titled) return { book: await books.find(titled.id) };
  if (own) return { other: own };
  for (const other of former.books) if (await wasTitled(repositories, other, derived)) return { other };
  return { book: undefined };
}

/** The slugs that the title had by the rule before, and the books that have them. */
async function findFormer({ books }: Repositories, { slug, titleEn }: DerivedSlug) {
  const former = createFormerSlug(titleEn) || createFormerFolderSlug(titleEn);
  const book = former === slug ? undefined : await books.findBySlug(former);
  return { slugs: former === slug ? [] : [former], books: book ? [book] : [] };
}

/** The books with these slugs and a number, the lowest first. */
async function listNumbered({ books }: Repositories, slugs: readonly string[]): Promise<TitledSlug[]> {
  const found: { n: number; row: TitledSlug }[] = [];
  for (const slug of slugs) {
    for (const row of await books.listNumbered(slug)) {
      const n = findSlugNumber(slug, row.slug);
      if (n !== undefined) found.push({ n, row });
    }
  }
  return found.sort((one, other) => one.n - other.n).map(({ row }) => row);
}

/** More than a title is usually corrected. */
const MAX_CHANGES = 50;

const changes = z.object({
  titleEn: z.object({ before: z.string() }).optional(),
  translations: z.unknown().optional(),
});

/**
 * Whether a book with another title was made from this one, which was corrected since. Otherwise its slug only has the
 * same remaining letters.
 */
async function wasTitled(
  { books, translations }: Repositories,
  { id }: TitledSlug,
  derived: DerivedSlug,
): Promise<boolean> {
  const editions = await translations.listOfBook(id);
  const isEdition = derived.translations.some(({ languageId, title }) =>
    editions.some((each) => each.languageId === languageId && isSameTitle(each.title, title)),
  );
  if (isEdition) return true;
  const logged = await books.listLoggedChanges(id, MAX_CHANGES);
  return logged.some((text) => {
    const { data } = changes.safeParse(JSON.parse(text));
    const before = data?.titleEn?.before;
    // A bulk upsert of another book has replaced the titles of the editions, too.
    return before !== undefined && data?.translations === undefined && isSameTitle(before, derived.titleEn);
  });
}

export const isSameTitle = (one: string, other: string): boolean =>
  canonicalizeTitle(one) === canonicalizeTitle(other);
