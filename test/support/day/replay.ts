/** Does what the readers of a day do, against a running service, and writes down what that should leave. */
import { expect } from "vitest";
import type { Client } from "../client.ts";
import { contact } from "../factory.ts";
import { type DayCatalogue, OFFERS } from "./catalogue.ts";
import type { Seat } from "./seats.ts";
import { type Fetch, LINK_LIVES, type Visit, type Way } from "./visits.ts";

/** One request and what became of it, as the plain list of the day has it. */
export interface Deed {
  at: number;
  redeemedAt: number | null;
  /** In lower case. */
  email: string;
  /** As the reader wrote it. */
  country: string;
  languageCode: string;
  bookTitle: string;
  bookId: string | null;
  bookIds: readonly string[];
  utmSource: string | null;
  /** Where who asked was; then who first really fetched it. */
  seat: Seat;
}

interface Step {
  at: number;
  take: () => Promise<void>;
}

export class Replay {
  /** In the order of the requests. */
  readonly deeds: Deed[] = [];
  readonly #api: Client;
  readonly #catalogue: DayCatalogue;

  constructor(api: Client, catalogue: DayCatalogue) {
    this.#api = api;
    this.#catalogue = catalogue;
  }

  /** @param goTo sets the clock of the service, epoch milliseconds */
  async run(visits: readonly Visit[], goTo: (time: number) => void): Promise<void> {
    const steps = visits.flatMap((visit) => this.#stepsOf(visit)).sort((a, b) => a.at - b.at);
    for (const { at, take } of steps) {
      goTo(at);
      await take();
    }
  }

  #stepsOf(visit: Visit): Step[] {
    const deed = this.#deedOf(visit);
    let link = "";
    const ask = async () => {
      link = await this.#ask(visit);
      this.deeds.push(deed);
    };
    const fetches = visit.fetches.map((fetch) => ({
      at: fetch.at,
      take: () => this.#fetch(link, fetch, deed),
    }));
    return [{ at: visit.at, take: ask }, ...fetches];
  }

  async #ask({ email, country, languageCode, slug, utmSource, ...seat }: Visit): Promise<string> {
    const path = slug === null ? "/api/download/submit-all" : "/api/download/submit";
    const response = await this.#from(seat).post(
      utmSource === null ? path : `${path}?utm_source=${utmSource}`,
      {
        languageCode,
        ...(slug !== null && { slug }),
        contact: { ...contact, email, country },
      },
    );
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body.downloadUrl;
  }

  async #fetch(link: string, { at, way, ...seat }: Fetch, deed: Deed): Promise<void> {
    const isAlive = at < deed.at + LINK_LIVES;
    const { status } = await this.#from(seat).call(way === "head" ? "head" : "get", link, {
      headers: HEADERS[way],
    });
    expect(status).toBe(isAlive ? ANSWERS[way] : 410);
    const isReader = way === "get" && seat.deviceType !== "bot";
    if (!isAlive || !isReader || deed.redeemedAt !== null) return;
    deed.redeemedAt = at;
    deed.seat = seat;
  }

  /** Who sits there, and tells the proxy a lie about the address as well. */
  #from({ sent, userAgent }: Seat): Client {
    const said = { "X-Forwarded-For": `203.0.113.9, ${sent}` };
    return this.#api.with(userAgent === undefined ? said : { ...said, "User-Agent": userAgent });
  }

  #deedOf({ at, email, country, languageCode, slug, utmSource, fetches: _, ...seat }: Visit): Deed {
    const books = (slug === null ? (OFFERS[languageCode] ?? []) : [slug]).map((each) =>
      this.#catalogue.book(each),
    );
    const [only] = slug === null ? [] : books;
    return {
      at,
      redeemedAt: null,
      email: email.toLowerCase(),
      country,
      seat,
      languageCode,
      utmSource,
      bookTitle: only?.titleEn ?? "All books",
      bookId: only?.id ?? null,
      bookIds: books.map(({ id }) => id),
    };
  }
}

const HEADERS: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  get: {},
  head: {},
  prefetch: { "Sec-Purpose": "prefetch;prerender" },
  "later part": { Range: "bytes=5-" },
};

const ANSWERS: Readonly<Record<Way, number>> = { get: 200, head: 200, prefetch: 200, "later part": 206 };
