/** Planned books that could be one of the library, or another one. Nothing here knows the page. */
import type { Draft, Plan } from "./drafts.ts";

export interface Question {
  slug: string;
  /** In the queue. */
  itemIds: readonly number[];
  paths: readonly string[];
  /** The book that it could be. */
  bookId: string;
  /** Undefined until somebody says it. */
  isSame: boolean | undefined;
}

/** Also those that are answered, as long as their files aren't stored: the answer can be changed. */
export function listQuestions(drafts: readonly Draft[], { books }: Pick<Plan, "books">): Question[] {
  const bySlug = Map.groupBy(drafts, ({ planned }) => planned?.slug);
  return books.flatMap(({ slug, errors }) => {
    const own = bySlug.get(slug) ?? [];
    const answer = own.find((draft) => draft.answer)?.answer;
    const bookId = answer?.bookId ?? errors.find(({ code }) => code === "unsure")?.bookId;
    if (own.length === 0 || bookId === undefined) return [];
    const [itemIds, paths] = [own.map(({ itemId }) => itemId), own.map(({ path }) => path)];
    return { slug, itemIds, paths, bookId, isSame: answer?.isSame };
  });
}
