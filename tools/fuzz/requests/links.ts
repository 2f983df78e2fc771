// Links to books, and the templates of their addresses.
import fc from "fast-check";
import type { Catalogue } from "../service/catalogue.ts";
import { chooseOne, NOTHING } from "./known.ts";
import { asObject, type Body, type Parts } from "./request.ts";

const bookUrl = fc.constantFrom(
  null,
  "https://kids.example.org/{slug}",
  "http://kids.example.org/{language}/?b={slug}&c={channel}#top",
);

const json = (value: unknown): Body => ({ kind: "json", value });

export function createLinkRecipes(
  catalogue: Catalogue,
  component: (name: string) => fc.Arbitrary<unknown>,
): Readonly<Record<string, fc.Arbitrary<Parts>>> {
  const offer = chooseOne(() => catalogue.offers);
  const withTemplate = (name: string) =>
    fc
      .tuple(component(name), bookUrl)
      .map(([body, url]) => ({ body: json({ ...asObject(body), bookUrl: url }) }));
  return {
    createChannel: withTemplate("ChannelCreation"),
    updateChannel: withTemplate("ChannelUpdate"),
    patchChannel: withTemplate("ChannelUpdate"),
    listBookLinks: fc.tuple(offer, fc.boolean()).map(([known, inLanguage]) => ({
      params: { bookId: known?.bookId ?? NOTHING },
      query: inLanguage ? { languageCode: known?.languageCode ?? "zz" } : {},
    })),
    getBookQr: fc
      .tuple(
        offer,
        fc.record({ format: fc.constantFrom("svg", "png"), size: fc.integer({ min: 128, max: 600 }) }),
      )
      .map(([known, drawn]) => ({
        params: { bookId: known?.bookId ?? NOTHING },
        query: { languageCode: known?.languageCode ?? "zz", ...drawn },
      })),
  };
}
