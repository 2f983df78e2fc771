/** The consents of a contact in the console: each state of the service has a sentence. */
import { expect, it } from "vitest";
import texts from "../../console/src/messages/en/contacts.json" with { type: "json" };
import { CONSENT_STATES } from "../../src/schemas/consents.schemas.ts";

it("each state has a sentence", () => {
  expect(Object.keys(texts.consent.states).sort()).toEqual([...CONSENT_STATES].sort());
});
