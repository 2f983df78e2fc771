// Requests for the pages of the library.
import fc from "fast-check";
import { type Catalogue, CONSENT_VERSION } from "../service/catalogue.ts";
import { chooseOne, NOTHING } from "./known.ts";
import { asObject, type Body, type Draft, type Parts } from "./request.ts";

export function createLibraryRecipes(
  catalogue: Catalogue,
  component: (name: string) => fc.Arbitrary<unknown>,
): Readonly<Record<string, fc.Arbitrary<Parts>>> {
  const offer = chooseOne(() => catalogue.offers);
  const page = fc.constantFrom(1, 1, 1, 2);
  return {
    // Books of one channel only would leave most pages without any, and without an offer of all books one has none.
    updateLibrary: component("LibraryUpdate").map((body) => ({
      body: { kind: "json", value: { ...asObject(body), channelId: null, offersAll: 1 } },
    })),
    // A text of the consent needs its version, and each version keeps its text.
    updateLibraryTexts: component("LibraryTextsUpdate").map((body) => {
      const { consent: _, consentVersion: __, ...value } = asObject(body);
      return { body: { kind: "json", value } };
    }),
    // Programs are told that nothing is there.
    getHomePage: fc.constant({ headers: [["Accept", "text/html"]] }),
    getLibraryList: fc
      .tuple(page, fc.constantFrom("listed", "newest", "title"))
      .map(([number, order]) => ({ query: number === 1 ? { order } : {} })),
    requestLibraryBook: offer.map((known) => ({
      sender: "anonymous" as const,
      params: { code: known?.languageCode ?? "zz", slug: known?.slug ?? NOTHING },
      body: formOf({ ...READER, fileId: known?.fileId ?? NOTHING }),
    })),
    requestLibraryWhole: offer.map((known) => ({
      sender: "anonymous" as const,
      params: { code: known?.languageCode ?? "zz" },
      body: formOf(READER),
    })),
    getLibraryBookReady: chooseOne(() => catalogue.ready).map((ready) => ({
      params: { code: ready?.code ?? "zz", slug: ready?.slug ?? NOTHING },
      query: { token: ready?.token ?? NOTHING },
    })),
    getLibraryWholeReady: chooseOne(() => catalogue.readyWhole).map((ready) => ({
      params: { code: ready?.code ?? "zz" },
      query: { token: ready?.token ?? NOTHING },
    })),
  };
}

type Way = (draft: Draft, chance: number) => Partial<Draft>;

/** Ways to a status that pages alone have. */
export function createLibraryWays(catalogue: Catalogue): Readonly<Record<string, Way>> {
  const inCapitals: Way = ({ params }) => ({
    params: { ...params, code: String(params.code).toUpperCase() },
  });
  const foreign: Way = () => ({ headers: [["Origin", "https://other.example.org"]] });
  const redirected = Object.fromEntries(PAGES_OF_LANGUAGES.map((id) => [`${id} 308`, inCapitals]));
  return {
    ...redirected,
    "getHomePage 404": () => ({ headers: [["Accept", "application/json"]] }),
    "getLibraryBookReady 404": ({ query }) => ({ query: { ...query, token: NOTHING } }),
    "getLibraryWholeReady 404": ({ query }) => ({ query: { ...query, token: NOTHING } }),
    "requestLibraryBook 403": foreign,
    "requestLibraryWhole 403": foreign,
    "requestLibraryBook 400": () => ({ body: formOf({ email: "unknown" }) }),
    "requestLibraryWhole 400": () => ({ body: formOf({ email: "unknown" }) }),
    "requestLibraryBook 413": tooLong,
    "requestLibraryWhole 413": tooLong,
    // Another hash gets the style sheet, too.
    "getLibraryStyle 404": () => ({ params: { hash: "0".repeat(65) } }),
    "updateLibraryTexts 409": (_, chance) => ({
      params: { languageCode: catalogue.offers[0]?.languageCode ?? "zz" },
      body: { kind: "json", value: { consent: `Another text ${chance}`, consentVersion: CONSENT_VERSION } },
    }),
  };
}

const PAGES_OF_LANGUAGES = [
  "getLibraryList",
  "getLibraryBook",
  "getLibraryWhole",
  "getLibraryAbout",
  "getLibraryPrivacy",
  "getLibraryFeed",
  "getLibraryBookReady",
  "getLibraryWholeReady",
  "requestLibraryBook",
  "requestLibraryWhole",
] as const;

/** All that the form may demand. */
const READER = {
  email: "page@example.org",
  firstName: "Page",
  lastName: "Reader",
  phone: "+49 30 123456",
  country: "DE",
};

const formOf = (fields: Readonly<Record<string, string>>): Body => ({
  kind: "bytes",
  type: "application/x-www-form-urlencoded",
  bytes: Buffer.from(new URLSearchParams(fields).toString()),
});

const tooLong: Way = () => ({ body: formOf({ ...READER, lastName: "x".repeat(2 * 1024 * 1024) }) });
