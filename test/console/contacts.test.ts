/** The consents of a contact in the console: each state of the service has a sentence. */
import { expect, it } from "vitest";
import { arabicStates, englishStates } from "../../console/src/contacts/consent-states.ts";
import { CONSENT_STATES } from "../../src/schemas/consents.schemas.ts";

it("each state has a sentence in both languages", () => {
  expect(Object.keys(englishStates).sort()).toEqual([...CONSENT_STATES].sort());
  expect(Object.keys(arabicStates).sort()).toEqual([...CONSENT_STATES].sort());
});
