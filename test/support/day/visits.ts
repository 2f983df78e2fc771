/** What the readers of a day do: who asks for what, from where, and what becomes of the link. Drawn by lot, the same each time. */
import { type Dice, dice } from "../dice.ts";
import { OFFERS } from "./catalogue.ts";
import { ALL, type Seat, seatOf } from "./seats.ts";

/** How somebody follows a link. */
export type Way = "get" | "head" | "prefetch" | "later part";

export interface Fetch extends Seat {
  at: number;
  way: Way;
}

export interface Visit extends Seat {
  at: number;
  email: string;
  /** What the reader writes as country. */
  country: string;
  languageCode: string;
  /** Null asks for the whole language. */
  slug: string | null;
  utmSource: string | null;
  fetches: readonly Fetch[];
}

/** From the evening before to the morning after the Sunday on which Europe puts its clocks forward. */
export const DAY_BEGINS = Date.UTC(2026, 2, 28, 20);
export const DAY_ENDS = Date.UTC(2026, 2, 30, 2);

const MINUTE = 60_000;
/** How long a link lives. */
export const LINK_LIVES = 10 * MINUTE;

/** @param readers no fewer than have every address and every header */
export function visitsOf(readers: number): Visit[] {
  if (readers < ALL) throw new Error(`A day has at least ${ALL} readers`);
  const roll = dice(20_260_329);
  return Array.from({ length: readers }, (_, reader) => visitsOfReader(reader, roll)).flat();
}

function visitsOfReader(reader: number, roll: Dice): Visit[] {
  const home = seatOf(reader, roll);
  const country = oneOf(["", "", "", "Kenya", "br", "Germany", "Narnia"], roll);
  const times = oneOf([1, 1, 1, 2, 4], roll);
  return Array.from({ length: times }, (_, requested) => {
    // The first ones show every seat that there is.
    const isAtHome = reader < ALL && requested === 0;
    const seat = !isAtHome && roll(5) === 0 ? seatOf(ALL, roll) : home;
    const at = DAY_BEGINS + roll((DAY_ENDS - DAY_BEGINS - 30 * MINUTE) / 1000) * 1000 + roll(1000);
    const languageCode = oneOf(["en", "en", "en", ...Object.keys(OFFERS)], roll);
    return {
      // Some public sites post their form from their own server.
      ...(!isAtHome && roll(8) === 0 ? SITE : seat),
      at,
      email: spelt(`reader${reader}@example.org`, roll),
      country,
      languageCode,
      slug: roll(4) === 0 ? null : oneOf(OFFERS[languageCode] ?? [], roll),
      utmSource: roll(3) === 0 ? "newsletter" : null,
      fetches: fetchesOf(at, seat, roll),
    };
  });
}

/** Somebody's preview and the browser's guesses come first, then the reader, and not always in time. */
function fetchesOf(asked: number, seat: Seat, roll: Dice): Fetch[] {
  const inTime = () => asked + 1000 + roll(9 * MINUTE);
  const tooLate = () => asked + LINK_LIVES + MINUTE + roll(MINUTE);
  const reader = (way: Way, at = inTime()): Fetch => ({ ...seat, way, at });
  const other = (): Fetch => ({ ...seatOf(ALL, roll), way: "get", at: inTime() });
  const stories: readonly (() => Fetch[])[] = [
    () => [],
    () => [reader("get")],
    () => [reader("get")],
    () => [reader("get"), reader("get")],
    () => [reader("get", tooLate())],
    () => [reader("get"), reader("get", tooLate())],
    () => [reader("head"), reader("prefetch"), reader("later part")],
    () => [reader("prefetch"), reader("get"), reader("later part")],
    () => [{ ...PREVIEW, way: "get", at: asked + 500 }, reader("get")],
    () => [{ ...PREVIEW, way: "get", at: asked + 500 }],
    () => [other(), reader("get")],
  ];
  return oneOf(stories, roll)();
}

const SITE: Seat = {
  sent: "193.99.144.80",
  address: "193.99.144.80",
  countryCode: "DE",
  userAgent: "axios/1.7.2",
  deviceType: "other",
};
const PREVIEW: Seat = {
  sent: "18.9.22.69",
  address: "18.9.22.69",
  countryCode: "US",
  userAgent: "WhatsApp/2.24.11.85 A",
  deviceType: "bot",
};

const spelt = (email: string, roll: Dice): string =>
  oneOf([email, email, email.toUpperCase(), email.replace("r", "R")], roll);

function oneOf<T>(all: readonly T[], roll: Dice): T {
  const one = all[roll(all.length)];
  if (one === undefined) throw new Error("There is nothing to choose from");
  return one;
}
