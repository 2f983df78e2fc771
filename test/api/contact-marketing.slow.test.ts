/** Who may receive a newsletter: in the list of contacts, its filters and its export for newsletter programs. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import type { Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { readCsv } from "../support/read-csv.ts";

const PATH = "/api/admin/contacts";

interface Given {
  email: string;
  says?: readonly [marketing: boolean, textVersion: string][];
  campaign?: string;
  more?: object;
}

const GIVEN: readonly Given[] = [
  {
    email: "yes@example.org",
    says: [[true, "v1"]],
    campaign: "spring",
    more: { lastName: "=Núñez", phone: "+254 20 1", country: "Kenya" },
  },
  { email: "no@example.org", says: [[false, "v1"]], campaign: "spring" },
  {
    email: "withdrawn@example.org",
    says: [
      [true, "v1"],
      [false, "v2"],
    ],
  },
  {
    email: "conflict@example.org",
    says: [
      [true, "v1"],
      [false, "v1"],
      [true, "v2"],
    ],
  },
  { email: "old-text@example.org", says: [[true, "v0"]] },
  { email: "silent@example.org" },
];

/** Every contact asks for The Well; the first also for all books, which contain The Tree. */
async function scene() {
  const app = await startApp({ CONSENT_TEXT_VERSIONS: "v1,v2" });
  await app.make.language("en", { name: "English" });
  await app.make.language("es", { name: "Spanish" });
  const { book: well } = await app.make.published("The Well", "en");
  const { book: tree } = await app.make.published("The Tree", "es");
  for (const given of GIVEN) await submit(app, well.id, given);
  const all = { languageCode: "es", contact: { email: "yes@example.org", firstName: "Sara" } };
  expect((await app.api.post("/api/download/submit-all", all)).status).toBe(200);
  return { app, well, tree, analyst: await app.make.login("analyst") };
}

async function submit(app: TestApp, bookId: string, { email, says, campaign = "", more }: Given) {
  const consents = says?.map(([marketing, textVersion]) => ({ marketing, textVersion })) ?? [undefined];
  for (const consent of consents) {
    app.clock.advance(1000);
    const form = { bookId, languageCode: "en", contact: { email, firstName: "Sara", ...more }, consent };
    expect((await app.api.post(`/api/download/submit?utm_campaign=${campaign}`, form)).status).toBe(200);
  }
}

/** The e-mail addresses that the list and the export contain without their domain, in alphabetic order. */
async function found(analyst: Client, query: Readonly<Record<string, string>>): Promise<string[]> {
  const parameters = new URLSearchParams(query);
  const { status, body } = await analyst.get(`${PATH}?${parameters}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const listed = body.contacts.map(({ email }: { email: string }) => email.split("@")[0]).sort();
  expect(body.pagination.total).toBe(listed.length);
  const exported = await analyst.get(`${PATH}/export?${parameters}`);
  const [, ...records] = readCsv(exported.body.toString());
  expect(records.map(([, email = ""]) => email.split("@")[0]).sort()).toEqual(listed);
  return listed;
}

describe("the list of contacts", () => {
  it("says whether marketing is allowed, with the latest statement", async () => {
    const { analyst } = await scene();
    const { body } = await analyst.get(PATH);
    const marketing = Object.fromEntries(
      body.contacts.map(({ email, ...contact }: Record<string, string | null>) => [
        email?.split("@")[0],
        [contact.marketing, contact.marketingTextVersion, contact.marketingAt],
      ]),
    );
    expect(marketing).toEqual({
      yes: ["yes", "v1", "2026-03-01T12:00:01.000Z"],
      no: ["no", "v1", "2026-03-01T12:00:02.000Z"],
      withdrawn: ["withdrawn", "v2", "2026-03-01T12:00:04.000Z"],
      conflict: ["conflict", "v2", "2026-03-01T12:00:07.000Z"],
      "old-text": ["unknown", "v0", "2026-03-01T12:00:08.000Z"],
      silent: ["unknown", null, null],
    });
  });

  it("and its export are filtered by marketing", async () => {
    const { analyst } = await scene();
    for (const marketing of ["yes", "no", "withdrawn", "conflict"])
      expect(await found(analyst, { marketing })).toEqual([marketing]);
    expect(await found(analyst, { marketing: "unknown" })).toEqual(["old-text", "silent"]);
    expect(await found(analyst, { marketing: "yes", search: "unknown" })).toEqual([]);
  });

  it("and its export are filtered by book and campaign of the same download", async () => {
    const { analyst, well, tree } = await scene();
    expect(await found(analyst, { bookId: tree.id })).toEqual(["yes"]);
    expect(await found(analyst, { bookId: well.id })).toHaveLength(GIVEN.length);
    expect(await found(analyst, { utmCampaign: "spring" })).toEqual(["no", "yes"]);
    expect(await found(analyst, { utmCampaign: "spring", marketing: "yes" })).toEqual(["yes"]);
    // All books were requested without a campaign.
    expect(await found(analyst, { bookId: tree.id, utmCampaign: "spring" })).toEqual([]);
    expect(await found(analyst, { bookId: "unknown" })).toEqual([]);
  });

  it("reports all errors of these filters", async () => {
    const { analyst } = await scene();
    const long = "x".repeat(1000);
    expectProblem(
      await analyst.get(`${PATH}?marketing=maybe&bookId=${long}&utmCampaign=${long}&format=csv`),
      400,
      {
        errors: ["bookId too_big", "utmCampaign too_big", "marketing invalid_value", "format unknown_field"],
      },
    );
  });
});

describe("the export for newsletter programs", () => {
  const exported = async (analyst: Client, query: string): Promise<string> =>
    (await analyst.get(`${PATH}/export?${query}`)).body.toString();

  it("contains those who agreed, in the columns of listmonk", async () => {
    const { analyst } = await scene();
    const text = await exported(analyst, "format=listmonk");
    expect(text.startsWith("email,name,attributes\r\n")).toBe(true);
    const [, [email, name, attributes = ""] = [], ...others] = readCsv(text);
    expect([email, name, others]).toEqual(["yes@example.org", "Sara =Núñez", []]);
    expect(JSON.parse(attributes)).toEqual({
      country: "Kenya",
      languageCode: "en",
      marketingTextVersion: "v1",
      marketingAt: "2026-03-01T12:00:01.000Z",
    });
  });

  it("contains those who agreed, in the columns of Mailchimp", async () => {
    const { analyst } = await scene();
    expect(await exported(analyst, "format=mailchimp&marketing=yes")).toBe(
      "Email Address,First Name,Last Name,Phone Number,Tags\r\n" +
        "yes@example.org,Sara,=Núñez,+254 20 1,en\r\n",
    );
    expect(await exported(analyst, "format=mailchimp&utmCampaign=autumn&bom=1")).toBe(
      "\ufeffEmail Address,First Name,Last Name,Phone Number,Tags\r\n",
    );
  });

  it("has addresses, names and numbers as they are: a program imports them", async () => {
    const { app, well, analyst } = await scene();
    const addresses = ["+anna@example.org", "-ann@example.org", "=eq@example.org"];
    const more = { firstName: "-Ann", lastName: "@Home", phone: "+1-2" };
    for (const email of addresses)
      await submit(app, well.id, { email, says: [[true, "v1"]], campaign: "own", more });
    const rows = async (query: string) =>
      readCsv(await exported(analyst, `${query}&utmCampaign=own`)).slice(1);
    const listmonk = await rows("format=listmonk");
    expect(listmonk.map(([email, name]) => [email, name]).sort()).toEqual(
      addresses.map((email) => [email, "-Ann @Home"]),
    );
    const mailchimp = addresses.map((email) => [email, "-Ann", "@Home", "+1-2", "en"]);
    for (const raw of ["", "&raw=0", "&raw=1"])
      expect((await rows(`format=mailchimp${raw}`)).sort()).toEqual(mailchimp);
    const guarded = await rows("format=csv");
    expect(guarded.map(([, email]) => email).sort()).toEqual(addresses.map((email) => `'${email}`));
  });

  it("rejects contacts who didn't agree, with the other errors of the query", async () => {
    const { analyst } = await scene();
    for (const format of ["listmonk", "mailchimp"])
      expectProblem(await analyst.get(`${PATH}/export?format=${format}&marketing=no&languageId=0`), 400, {
        errors: ["languageId too_small", "marketing invalid_value"],
      });
    expectProblem(await analyst.get(`${PATH}/export?format=xml`), 400, { errors: ["format invalid_value"] });
  });

  it("is recorded in the audit log with the names of its filters", async () => {
    const { app, analyst } = await scene();
    await exported(analyst, "format=listmonk&utmCampaign=spring");
    expect((await readAuditLog(app)).at(-1)).toMatchObject({
      action: "export",
      objectKind: "contact",
      changes: { filters: { after: ["utmCampaign"] } },
    });
  });
});
