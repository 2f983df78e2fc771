/** Which contacts the filters leave: search, and what one and the same download must have been. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { addContacts, type GivenContact } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { readCsv } from "../support/read-csv.ts";

const PATH = "/api/admin/contacts";

/** Contacts, and the first names of those that a query finds, by list and export alike. */
async function withContacts(given: readonly GivenContact[]) {
  const app = await startApp();
  await addContacts(app, given);
  const analyst = await app.make.login("analyst");
  return async (query: Record<string, string>): Promise<string[]> => {
    const text = new URLSearchParams(query);
    const response = await analyst.get(`${PATH}?${text}`);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    const names: string[] = response.body.contacts.map(({ firstName }: { firstName: string }) => firstName);
    expect(response.body.pagination.total).toBe(names.length);
    const { body } = await analyst.get(`${PATH}/export?bom=0&raw=1&${text}`);
    const [, ...exported] = readCsv(body.toString());
    expect(exported.map((record) => record[2]).sort()).toEqual(names.toSorted());
    return names.toSorted();
  };
}

describe("the search", () => {
  it("finds a part of name, e-mail address or phone, regardless of case, accents and width", async () => {
    const found = await withContacts([
      { firstName: "Núria", lastName: "Müller", email: "nm@example.org", phone: "+34 600 1" },
      { firstName: "ＴＯＭ", lastName: "Straße", email: "t@example.net", phone: "" },
      { firstName: "Иван", lastName: "Ёлкин", email: "ivan@example.org", phone: "", country: "Spain" },
      { firstName: "حَسَن", lastName: "", email: "h@example.org", phone: "" },
    ]);
    expect(await found({ search: "NURIA" })).toEqual(["Núria"]);
    expect(await found({ search: "ria mul" })).toEqual(["Núria"]);
    expect(await found({ search: "600" })).toEqual(["Núria"]);
    expect(await found({ search: "tom strasse" })).toEqual(["ＴＯＭ"]);
    expect(await found({ search: "@EXAMPLE.NET" })).toEqual(["ＴＯＭ"]);
    expect(await found({ search: "елкин" })).toEqual(["Иван"]);
    expect(await found({ search: "حسن" })).toEqual(["حَسَن"]);
    expect(await found({ search: "  nuria " })).toEqual(["Núria"]);
    expect(await found({ search: "" })).toHaveLength(4);
    expect(await found({ search: "spain" })).toEqual(["Иван"]);
  });

  it("finds each word in any field, in any order", async () => {
    const found = await withContacts([
      { firstName: "José", lastName: "Núñez", email: "jn@example.org", country: "Kenya" },
      { firstName: "Núria", lastName: "Müller", email: "nm@example.org", phone: "+34 600 1" },
    ]);
    expect(await found({ search: "Nunez Jose" })).toEqual(["José"]);
    expect(await found({ search: "kenya jn@" })).toEqual(["José"]);
    expect(await found({ search: "muller 34 nm@" })).toEqual(["Núria"]);
    expect(await found({ search: "n example" })).toEqual(["José", "Núria"]);
    expect(await found({ search: "muller jose" })).toEqual([]);
  });

  it("finds a phone number regardless of its spacing, in the search and in the contact", async () => {
    const found = await withContacts([
      { firstName: "Spaced", phone: "+34 600 111 222" },
      { firstName: "Signs", phone: "(0034) 600-111.222" },
      { firstName: "Bare", phone: "600111222" },
      { firstName: "Other", phone: "600 111 223" },
    ]);
    const all = ["Bare", "Signs", "Spaced"];
    for (const search of [
      "600111222",
      "600 111 222",
      "600-111-222",
      "(600) 111-222",
      "600 - 111 - 222",
      "60 01 11 222",
      "600.111.222",
      "６００１１１２２２",
    ]) {
      expect(await found({ search }), search).toEqual(all);
    }
    expect(await found({ search: "+34600111222" })).toEqual(["Signs", "Spaced"]);
    expect(await found({ search: "bare 600-111" })).toEqual(["Bare"]);
  });

  it("rejects more than sixteen different words", async () => {
    const app = await startApp();
    const analyst = await app.make.login("analyst");
    const words = (count: number) =>
      Array.from({ length: count }, (_, number) => `w${number + 10}`).join(" ");
    expect((await analyst.get(`${PATH}?search=${words(16)}`)).status).toBe(200);
    for (const path of [PATH, `${PATH}/export`, "/api/admin/books"]) {
      expectProblem(await analyst.get(`${path}?search=${words(17)}`), 400, {
        errors: ["search too_many_words"],
      });
    }
    expectProblem(await app.api.get(`/api/books?search=${words(17)}`), 400, {
      errors: ["search too_many_words"],
    });
  });

  it("matches every character literally", async () => {
    const found = await withContacts(
      ["100%", "a_b", "aXb", `O'Neil "Q"`, "back\\slash", "; drop table contacts --"].map((firstName) => ({
        firstName,
      })),
    );
    expect(await found({ search: "%" })).toEqual(["100%"]);
    expect(await found({ search: "a_b" })).toEqual(["a_b"]);
    expect(await found({ search: "\\" })).toEqual(["back\\slash"]);
    expect(await found({ search: "'neil \"q" })).toEqual([`O'Neil "Q"`]);
    expect(await found({ search: "; DROP TABLE" })).toEqual(["; drop table contacts --"]);
  });
});

const at = (time: string) => ({ downloadedAt: Date.parse(time) });
const kenya = { countryCode: "KE", countryName: "Kenya" };
const ivory = { countryCode: "CI", countryName: "Côte d’Ivoire" };

describe("the filter by downloads", () => {
  it("filters by language, and by days of a time zone", async () => {
    const found = await withContacts([
      { firstName: "Early", events: [{ ...at("2026-03-01T22:30:00Z"), languageId: 1 }] },
      { firstName: "Late", events: [{ ...at("2026-03-02T10:00:00Z"), languageId: 2 }] },
    ]);
    expect(await found({ languageId: "2" })).toEqual(["Late"]);
    expect(await found({ languageId: "99" })).toEqual([]);
    expect(await found({ startDate: "2026-03-01", endDate: "2026-03-01" })).toEqual(["Early"]);
    expect(await found({ startDate: "2026-03-02" })).toEqual(["Late"]);
    expect(await found({ endDate: "2026-03-01T22:29:59Z" })).toEqual([]);
    // In Nairobi it is half past one on the second.
    expect(await found({ startDate: "2026-03-02", timezone: "Africa/Nairobi" })).toEqual(["Early", "Late"]);
  });

  it("filters by words of a city's name, regardless of case and accents", async () => {
    const found = await withContacts([
      { firstName: "Ana", events: [{ city: "São Paulo" }] },
      { firstName: "Ben", events: [{ city: "Paulo" }, { city: null }] },
    ]);
    expect(await found({ city: "SãO PAULO" })).toEqual(["Ana"]);
    expect(await found({ city: "paulo sao" })).toEqual(["Ana"]);
    expect(await found({ city: "paulo" })).toEqual(["Ana", "Ben"]);
    expect(await found({ city: "Pau%" })).toEqual([]);
    expect(await found({ city: "Lima" })).toEqual([]);
    expect(await found({ city: "" })).toHaveLength(2);
  });

  it("rejects a search that matches too many cities", async () => {
    const app = await startApp();
    const events = Array.from({ length: 1001 }, (_, number) => ({ city: `City ${number}` }));
    await addContacts(app, [{ events }]);
    const analyst = await app.make.login("analyst");
    for (const path of [PATH, `${PATH}/export`]) {
      expectProblem(await analyst.get(`${path}?city=city`), 400, { errors: ["city too_many_cities"] });
      expect((await analyst.get(`${path}?city=city 100`)).status).toBe(200);
    }
  });

  it("ignores the case of letters other than A to Z, too", async () => {
    const found = await withContacts([
      { firstName: "Ana", country: "CURAÇAO", events: [{ city: "Łódź" }] },
      { firstName: "Ben", country: "Cote d'Ivoire", events: [{ city: "KÖLN" }] },
      { firstName: "Eva", country: "Österreich", events: [{ city: "İzmir" }] },
    ]);
    for (const city of ["Łódź", "łódź", "ŁÓDŹ", "Lodz"]) expect(await found({ city }), city).toEqual(["Ana"]);
    for (const city of ["Köln", "köln", "KÖLN", "koln"]) expect(await found({ city }), city).toEqual(["Ben"]);
    for (const country of ["CW", "Curaçao", "curaçao"]) expect(await found({ country })).toEqual(["Ana"]);
    expect(await found({ country: "CI" })).toEqual(["Ben"]);
    expect(await found({ country: "österreich" })).toEqual(["Eva"]);
    expect(await found({ country: "osterr" })).toEqual(["Eva"]);
    expect(await found({ country: "curacao" })).toEqual(["Ana"]);
  });

  it("filters by words of a country's name, of the downloads or of the contact's own entry", async () => {
    const found = await withContacts([
      { firstName: "French", country: "Éthiopie" },
      { firstName: "Full", country: "Federal Democratic Republic of Ethiopia" },
      { firstName: "There", events: [{ countryCode: "ET", countryName: "Ethiopia" }] },
      { firstName: "States", events: [{ countryCode: "US", countryName: "United States" }] },
      { firstName: "Kingdom", country: "The United Kingdom", events: [{ countryCode: "KE" }] },
      { firstName: "Niger", events: [{ countryCode: "NE" }] },
      { firstName: "Nigeria", country: "Nigeria" },
    ]);
    expect(await found({ country: "ethiopie" })).toEqual(["French", "There"]);
    expect(await found({ country: "ethiop" })).toEqual(["French", "Full", "There"]);
    expect(await found({ country: "United" })).toEqual(["Kingdom", "States"]);
    expect(await found({ country: "kingdom united" })).toEqual(["Kingdom"]);
    // Whole names are themselves.
    expect(await found({ country: "niger" })).toEqual(["Niger"]);
    expect(await found({ country: "ET" })).toEqual(["French", "There"]);
  });

  it("filters by a country's code or English name, also in the contact's own entry", async () => {
    const found = await withContacts([
      { firstName: "There", events: [kenya, ivory] },
      { firstName: "Wrote", country: "kenya" },
      { firstName: "Code", country: "KE" },
      { firstName: "Nowhere", country: "Kenyatta" },
      { firstName: "Elsewhere", country: "Atlantis", events: [ivory] },
      // As the database of cities names it, which isn't the name that it has elsewhere.
      { firstName: "Geolocated", events: [{ countryCode: "CD", countryName: "DR Congo" }] },
    ]);
    for (const country of ["KE", "ke", "Kenya", "kenya"]) {
      expect(await found({ country }), country).toEqual(["Code", "There", "Wrote"]);
    }
    expect(await found({ country: "cote d'ivoire" })).toEqual(["Elsewhere", "There"]);
    expect(await found({ country: "atlantis" })).toEqual(["Elsewhere"]);
    expect(await found({ country: "K_" })).toEqual([]);
    expect(await found({ country: "DR Congo" })).toEqual(["Geolocated"]);
    expect(await found({ country: "CD" })).toEqual(["Geolocated"]);
    expect(await found({ country: "" })).toHaveLength(6);
  });

  it("requires that one download meets all conditions", async () => {
    const found = await withContacts([
      {
        firstName: "Apart",
        events: [
          { ...at("2026-03-01T10:00:00Z"), languageId: 2, city: "Nairobi", ...kenya },
          { ...at("2026-03-05T10:00:00Z"), languageId: 1, city: "Abidjan", ...ivory },
        ],
      },
      {
        firstName: "Together",
        events: [{ ...at("2026-03-05T10:00:00Z"), languageId: 2, city: "Nairobi", ...kenya }],
      },
    ]);
    const both = ["Apart", "Together"];
    const march5 = { startDate: "2026-03-05", endDate: "2026-03-05" };
    expect(await found({ languageId: "2", city: "Nairobi", country: "KE" })).toEqual(both);
    expect(await found({ ...march5 })).toEqual(both);
    expect(await found({ ...march5, languageId: "2" })).toEqual(["Together"]);
    expect(await found({ ...march5, city: "Nairobi" })).toEqual(["Together"]);
    expect(await found({ ...march5, country: "KE" })).toEqual(["Together"]);
    expect(await found({ city: "Nairobi", country: "CI" })).toEqual([]);
    expect(await found({ languageId: "1", city: "Nairobi" })).toEqual([]);
    expect(await found({ ...march5, languageId: "2", city: "Nairobi", country: "KE" })).toEqual(["Together"]);
    expect(await found({ languageId: "2", search: "APART" })).toEqual(["Apart"]);
  });

  it("accepts a download from anywhere if the contact's own entry has the country", async () => {
    const found = await withContacts([
      { firstName: "Abroad", country: "Kenya", events: [{ languageId: 2, city: "Abidjan", ...ivory }] },
    ]);
    expect(await found({ country: "KE" })).toEqual(["Abroad"]);
    expect(await found({ country: "KE", languageId: "2", city: "Abidjan" })).toEqual(["Abroad"]);
    expect(await found({ country: "KE", languageId: "1" })).toEqual([]);
    expect(await found({ country: "KE", city: "Nairobi" })).toEqual([]);
  });

  it("uses the contact's first and last download if one date is the only condition", async () => {
    const [first, last] = [at("2026-03-01T10:00:00Z"), at("2026-03-05T10:00:00Z")];
    const times = { firstDownloadAt: first.downloadedAt, lastDownloadAt: last.downloadedAt };
    const found = await withContacts([
      { firstName: "Forgotten", events: [], ...times },
      { firstName: "Known", events: [first, last] },
    ]);
    expect(await found({ startDate: "2026-03-05" })).toEqual(["Forgotten", "Known"]);
    expect(await found({ startDate: "2026-03-06" })).toEqual([]);
    expect(await found({ endDate: "2026-03-01" })).toEqual(["Forgotten", "Known"]);
    expect(await found({ endDate: "2026-02-28" })).toEqual([]);
    expect(await found({ startDate: "2026-03-01", endDate: "2026-03-05" })).toEqual(["Known"]);
    expect(await found({ startDate: "2026-03-02", endDate: "2026-03-04" })).toEqual([]);
    expect(await found({ startDate: "2026-03-05", languageId: "1" })).toEqual(["Known"]);
  });

  it("doesn't look at downloads if the country of the contact's own entry is the only condition", async () => {
    const found = await withContacts([{ firstName: "Ben", country: "Kenya", events: [] }]);
    expect(await found({ country: "Kenya" })).toEqual(["Ben"]);
    expect(await found({ country: "Kenya", languageId: "1" })).toEqual([]);
  });
});
