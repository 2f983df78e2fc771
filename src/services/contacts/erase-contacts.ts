/** Deletes contacts with what is to be delivered about them, and reports their erasure to other systems. */
import type { RecordRepositories } from "../../repositories/index.ts";
import type { OutboxEvent } from "../../repositories/outbox.repository.ts";

/** Call it in the transaction of the change. @param ids a bounded number */
export async function eraseContacts(
  { contacts, outbox }: Pick<RecordRepositories, "contacts" | "outbox">,
  ids: readonly number[],
  at: number,
): Promise<void> {
  await outbox.forgetContacts(ids);
  await outbox.add(...reportErasures(await contacts.deleteAll(ids), at));
}

/** @param publicIds the ids that the contacts had in the API */
export const reportErasures = (publicIds: readonly string[], at: number): OutboxEvent[] =>
  publicIds.map((contactId) => ({ event: "contact.erased", at, details: { contactId } }));
