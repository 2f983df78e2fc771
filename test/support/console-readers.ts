/** Readers for the pages about people: one who allows marketing, one with a conflict, one who said nothing. */
import { AGENTS, linkTo } from "./reader.ts";
import type { TestApp } from "./service.ts";

const SARA = { email: "sara@example.org", firstName: "Sara", lastName: "Núñez", country: "Kenya" };
const OMAR = { email: "omar@example.org", firstName: "عمر", country: "Egypt" };
const LIN = { email: "lin@example.org", firstName: "林", lastName: "<b>Lin</b>" };

/** @returns the ids of the contacts */
export async function addReaders({
  api,
  well,
  admin,
}: Pick<TestApp, "api" | "admin"> & { well: { slug: string } }) {
  const asked = { slug: well.slug, languageCode: "es" };
  const reader = api.with({ "User-Agent": AGENTS.chrome });
  const say = (contact: object, marketing: boolean) =>
    linkTo(reader, { ...asked, contact, consent: { marketing, textVersion: "v1" } });
  const campaign = "utm_source=newsletter&utm_medium=email&utm_campaign=spring";
  const { body: submitted } = await reader.post(`/api/download/submit?${campaign}`, {
    ...asked,
    contact: SARA,
  });
  await reader.get(submitted.downloadUrl);
  await say(SARA, true);
  await say(OMAR, true);
  await say(OMAR, false);
  await say(OMAR, true);
  await linkTo(reader, { ...asked, contact: LIN });
  const { body } = await (await admin()).get("/api/admin/contacts");
  const idOf = (email: string): string =>
    body.contacts.find((contact: { email: string }) => contact.email === email).id;
  return { sara: idOf(SARA.email), omar: idOf(OMAR.email), lin: idOf(LIN.email) };
}
