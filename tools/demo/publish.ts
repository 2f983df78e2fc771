// Channels of the demo, and which of its books are published on each.
import type { ServiceClient } from "../lib/service-client.ts";
import { demoBooks } from "./catalogue.ts";
import { formatCount } from "./print.ts";
import * as responses from "./responses.ts";

/** By language, the slugs that are published; some books are on no channel, which the console shows as gaps. */
const CHANNELS: readonly {
  name: string;
  description: string;
  languages: Record<string, readonly string[]>;
}[] = [
  {
    name: "Website",
    description: "All that readers find on the public page.",
    languages: {
      en: demoBooks.map(({ slug }) => slug),
      es: ["a-well-for-everyone", "the-bicycle-library", "the-smallest-tree"],
      ar: ["a-well-for-everyone", "clean-hands"],
      fr: ["a-well-for-everyone", "the-bicycle-library"],
    },
  },
  {
    name: "School libraries",
    description: "Sets of books on memory cards.",
    languages: {
      en: ["a-well-for-everyone", "clean-hands"],
      hi: ["a-well-for-everyone", "clean-hands"],
      zh: ["a-well-for-everyone"],
    },
  },
  {
    name: "Reading month",
    description: "",
    languages: { en: ["counting-stars"], es: ["the-smallest-tree"] },
  },
];

/** @param bookIds by slug */
export async function publish(session: ServiceClient, bookIds: ReadonlyMap<string, string>) {
  let publications = 0;
  for (const { name, description, languages } of CHANNELS) {
    const channel = { name, description };
    const { id: channelId } = await session.post("/api/admin/channels", channel, 201, responses.channel);
    for (const [languageCode, slugs] of Object.entries(languages)) {
      const ids = slugs.map((slug) => bookIds.get(slug));
      const body = { bookIds: ids, action: { type: "publish", channelId, languageCode } };
      const { results } = await session.post("/api/admin/books/actions", body, 200, responses.bookActions);
      publications += results.filter(({ status }) => status === "changed").length;
    }
  }
  return {
    result: `${formatCount(CHANNELS.length, "channel")}, ${formatCount(publications, "publication")}`,
    value: undefined,
  };
}
