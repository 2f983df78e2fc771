/** An action on many books whose channel or language is deleted after the request was checked. */
import { expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { BookActionsService } from "../../src/services/books/book-actions.service.ts";
import { startApp } from "../support/app.ts";

const ADMIN = createSystemAuthor("test");

it.each([
  ["channel", "unknown_channel"],
  ["language", "unknown_language"],
])("each book fails with the reason if the %s is deleted meanwhile", async (kind, code) => {
  const { make, container } = await startApp();
  const { reads, changeCatalogue, clock, services } = container;
  const language = await make.language("es");
  const channel = await make.channel("Kids");
  const bookIds = [(await make.book("Well")).id, (await make.book("Tree")).id];
  const deleteIt = () =>
    kind === "channel"
      ? services.channels.delete(ADMIN, channel.id)
      : services.languages.delete(ADMIN, language.id, { modes: [] });
  let deletion: Promise<void> | undefined;
  const actions = new BookActionsService({
    reads,
    clock,
    async change(by, work) {
      deletion ??= deleteIt();
      await deletion;
      return changeCatalogue(by, work);
    },
  });
  const action = { type: "publish", channelId: channel.id, languageCode: "es" } as const;
  const { results } = await actions.run(ADMIN, { bookIds, action });
  expect(results).toMatchObject(bookIds.map((bookId) => ({ bookId, status: "failed", code })));
});
