/** Steps that give books dates, and that let time pass. */
import { bodyOf } from "../client.ts";
import type { StepKind } from "./steps.ts";

const BOOKS = "/api/admin/books";

export const dateSteps: Readonly<Record<string, StepKind>> = {
  dateBook: {
    weight: 2,
    can: ({ books }) => books.length > 0,
    async run({ model, service, admin, pick, number }) {
      const book = pick(model.books);
      const now = service.clock.now();
      const begin = pick([null, -5, 0, 1, 3]);
      const end = pick([null, null, 4, 6]);
      // Dates that have passed are those of most books.
      const at = (seconds: number | null) =>
        seconds === null ? null : now + seconds * 1000 - (number % 2) * 2000;
      const [publishAt, unpublishAt] = [at(begin), at(end)];
      const text = (time: number | null) => (time === null ? null : new Date(time).toISOString());
      const given = { publishAt: text(publishAt), unpublishAt: text(unpublishAt) };
      await bodyOf(admin.patch(`${BOOKS}/${book.id}`, given));
      Object.assign(book, { publishAt, unpublishAt });
    },
  },
  passTime: {
    weight: 2,
    async run({ model, service, number }) {
      service.clock.advance((number % 3) * 1000);
      model.now = service.clock.now();
    },
  },
};
