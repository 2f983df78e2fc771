/** The ledger of consents: what counts of it after any statements in any order, and how much of it is kept. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ConsentStatesQuery, ConsentsRepository } from "../../src/repositories/consents.repository.ts";
import { ConsentTextsRepository } from "../../src/repositories/library.repository.ts";
import { OutboxRepository } from "../../src/repositories/outbox.repository.ts";
import { CONFIRMATIONS, type ConsentState } from "../../src/schemas/consents.schemas.ts";
import { ConsentLedger, MAX_STATEMENTS, type Statement } from "../../src/services/contacts/consent-ledger.ts";
import { startApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";

interface Said {
  /**
   * `pending` and `confirmed` are those of a form, where addresses are confirmed. `corrected`: the contact gets another
   * address, and nothing is stated.
   */
  by: "form" | "administrator" | "pending" | "confirmed" | "corrected";
  marketing: boolean;
  textVersion: string;
}

/** A contact of whom nothing was stated yet, in an application that knows the texts. */
async function scene(textVersions: readonly string[]) {
  const app = await startApp();
  const { database, newId, clock } = app.container;
  const consents = new ConsentsRepository(database.writer);
  const consentTexts = new ConsentTextsRepository(database.writer);
  const outbox = new OutboxRepository(database.writer);
  const ledger = new ConsentLedger({ newId, textVersions });
  const states = new ConsentStatesQuery({ db: database.read, textVersions });
  async function newContact() {
    const [publicId] = await addContacts(app, [{}]);
    const { id } = await database.read
      .selectFrom("contacts")
      .select("id")
      .where("publicId", "=", publicId ?? "")
      .executeTakeFirstOrThrow();
    return id;
  }
  async function say(contactId: number, said: readonly Said[]) {
    await database.commit(async () => {
      for (const one of said) {
        if (one.by === "corrected") await consents.leaveAddress(contactId);
        else await ledger.add({ consents, consentTexts, outbox }, statementOf(contactId, one), clock.now());
      }
    });
  }
  const stateOf = async (contactId: number) =>
    (await states.findState(contactId, clock.now()))?.state ?? "none";
  const kept = (contactId: number) => new ConsentsRepository(database.read).listOf(contactId);
  return { app, newContact, say, stateOf, kept };
}

function statementOf(contactId: number, { by, marketing, textVersion }: Said): Statement {
  const user = by === "administrator" ? "user" : null;
  const confirmation = CONFIRMATIONS.find((each) => each === by) ?? null;
  return {
    contactId,
    marketing: marketing || confirmation ? 1 : 0,
    textVersion,
    languageCode: "en",
    eventId: null,
    ipAddress: null,
    userId: user,
    userName: user,
    confirmation,
  };
}

/** What comes after a state, by what is stated: no, a yes that counts, or a yes to a text that doesn't. */
type Next = Record<"no" | "yes" | "odd", ConsentState>;

/** The rules as docs/personal-data.md has them. A contact who has agreed stays one who has agreed, regardless of later statements. */
const BEFORE_ANY_YES: Next = { no: "declined", yes: "agreed", odd: "unknown_text" };
const AFTER_A_YES: Next = { no: "withdrawn", yes: "agreed", odd: "unknown_text" };
const AFTER_WITHDRAWAL: Next = { no: "withdrawn", yes: "conflict", odd: "withdrawn" };
const IN_CONFLICT: Next = { no: "withdrawn", yes: "conflict", odd: "conflict" };

const AFTER: Partial<Record<ConsentState, Next>> = {
  agreed: AFTER_A_YES,
  withdrawn: AFTER_WITHDRAWAL,
  conflict: IN_CONFLICT,
};

function stateByRules(said: readonly Said[], textVersions: readonly string[]): ConsentState {
  let state: ConsentState = "none";
  let next = BEFORE_ANY_YES;
  for (const one of said) {
    if (one.by === "pending") continue;
    if (one.by === "corrected") {
      state = "none";
      next = BEFORE_ANY_YES;
      continue;
    }
    if (one.by === "administrator") next = one.marketing ? BEFORE_ANY_YES : AFTER_WITHDRAWAL;
    if (one.by === "confirmed") next = BEFORE_ANY_YES;
    state = next[heard(one, textVersions)];
    next = AFTER[state] ?? next;
  }
  // What waits changes nothing of what was agreed.
  return said.at(-1)?.by === "pending" && state !== "agreed" ? "pending" : state;
}

function heard({ by, marketing, textVersion }: Said, textVersions: readonly string[]): keyof Next {
  if (!marketing && by !== "confirmed") return "no";
  return textVersions.length === 0 || textVersions.includes(textVersion) ? "yes" : "odd";
}

const TEXTS = ["1", "2", "odd"];
const statements = (texts: fc.Arbitrary<string>) =>
  fc.record<Said>({
    by: fc.constantFrom("form", "form", "form", "pending", "confirmed", "administrator", "corrected"),
    marketing: fc.boolean(),
    textVersion: texts,
  });

it.each([[["1", "2"]], [[]]])(
  "the ledger counts consents according to the rules, for any statements: texts %j",
  async (textVersions) => {
    const { newContact, say, stateOf } = await scene(textVersions);
    const walks = fc.array(statements(fc.constantFrom(...TEXTS)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(walks, async (said) => {
        const contactId = await newContact();
        await say(contactId, said);
        expect(await stateOf(contactId)).toBe(stateByRules(said, textVersions));
      }),
      { numRuns: 100 },
    );
  },
);

it("the ledger is bounded and keeps every effective statement: floods before, between and after a reader's statements", async () => {
  const textVersions = ["1"];
  const { newContact, say, stateOf, kept } = await scene(textVersions);
  let number = 0;
  const flood = fc
    .record({ marketing: fc.boolean(), isListed: fc.boolean(), length: fc.nat(MAX_STATEMENTS + 10) })
    .map(({ marketing, isListed, length }) =>
      Array.from({ length }, (_, index): Said => {
        number += 1;
        const textVersion = isListed && index % 2 === 0 ? "1" : `odd ${number}`;
        return { by: "form", marketing, textVersion };
      }),
    );
  const walks = fc
    .array(
      fc.oneof(
        flood,
        statements(fc.constantFrom(...TEXTS)).map((one) => [one]),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(walks, async (said) => {
      const contactId = await newContact();
      await say(contactId, said);
      expect(await stateOf(contactId)).toBe(stateByRules(said, textVersions));
      const decisions = said.filter(({ by }) => by === "administrator" || by === "corrected").length;
      expect((await kept(contactId)).length).toBeLessThanOrEqual(
        (decisions + 1) * MAX_STATEMENTS + decisions,
      );
    }),
    { numRuns: 12 },
  );
});

it("the ledger doesn't add a repeated statement, but records its time", async () => {
  const { app, newContact, say, kept } = await scene([]);
  const contactId = await newContact();
  const yes: Said = { by: "form", marketing: true, textVersion: "1" };
  await say(contactId, [yes]);
  const first = app.clock.now();
  app.clock.advance(1000);
  await say(contactId, [yes, yes]);
  expect(await kept(contactId)).toMatchObject([{ givenAt: first, repeatedAt: first + 1000 }]);
  // The clock is put back: the order stays.
  app.clock.advance(-60_000);
  await say(contactId, [yes, { ...yes, marketing: false }]);
  expect(await kept(contactId)).toMatchObject([
    { marketing: 1, givenAt: first, repeatedAt: first + 1000 },
    { marketing: 0, givenAt: first + 1001, repeatedAt: null },
  ]);
  // What an administrator has decided isn't repeated by readers.
  const no: Said = { by: "administrator", marketing: false, textVersion: "1" };
  await say(contactId, [no, no, { ...no, by: "form" }]);
  expect(await kept(contactId)).toHaveLength(5);
});
