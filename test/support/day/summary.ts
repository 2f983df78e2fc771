/** Holds the dashboard's summary against what the readers of a day did. */
import { expect } from "vitest";
import { countBy, countOf, countOfBook } from "./counts.ts";
import { dayIn, daysAfter, ZONES } from "./days.ts";
import type { Deed } from "./replay.ts";
import { bodyOf, type CountedScene } from "./scene.ts";

/** @param now what the service takes for the present */
export async function expectSummary(scene: CountedScene, now: number): Promise<void> {
  const { admin, catalogue, deeds, bots } = scene;
  for (const zone of ZONES) {
    const summary = await bodyOf(admin, `/api/admin/analytics/summary?timezone=${zone}&${bots}`);
    const countries = countBy(deeds, ({ seat }) => seat.countryCode);
    countries.delete("");
    const figures = figuresOf(deeds);
    const sum = (rows: readonly { legacyDownloadCount: number }[]) =>
      rows.reduce((total, { legacyDownloadCount }) => total + legacyDownloadCount, 0);
    expect(summary, `${zone} ${bots}`).toMatchObject({
      totals: { ...figures, countries: countries.size },
      funnel: {
        requested: figures.downloads,
        redeemed: figures.redeemed,
        rate: round(figures.redeemed / figures.downloads),
      },
      legacyDownloads: { books: sum(catalogue.books), languages: sum(catalogue.languages) },
      today: recent(deeds, zone, dayIn(zone, now), 1),
      last7Days: recent(deeds, zone, dayIn(zone, now), 7),
      last30Days: recent(deeds, zone, dayIn(zone, now), 30),
      recentDownloads: deeds
        .toReversed()
        .slice(0, 10)
        .map(({ email }) => ({ contactEmail: email })),
    });
    expect(downloadsOf(summary.topCountries)).toEqual(topTen([...countries.values()]));
    expect(downloadsOf(summary.topLanguages)).toEqual(
      topTen([...countBy(deeds, ({ languageCode }) => languageCode).values()]),
    );
    expect(downloadsOf(summary.devices)).toEqual(
      topTen([...countBy(deeds, ({ seat }) => seat.deviceType).values()]),
    );
    const books = catalogue.books.map(({ id }) => countOfBook(deeds, id).totalBooks);
    const top: { totalBooks: number }[] = summary.topBooks;
    expect(top.map(({ totalBooks }) => totalBooks)).toEqual(books.sort((a, b) => b - a));
  }
}

function figuresOf(deeds: readonly Deed[]) {
  const { totalDownloads, totalBooks, uniqueContacts, redeemed } = countOf(deeds);
  return { downloads: totalDownloads, redeemed, books: totalBooks, contacts: uniqueContacts };
}

/** So many days up to a day, beside as many before them. */
function recent(deeds: readonly Deed[], zone: string, today: string, days: number) {
  const between = (startDate: string, endDate: string) => ({
    startDate,
    endDate,
    ...figuresOf(deeds.filter(({ at }) => dayIn(zone, at) >= startDate && dayIn(zone, at) <= endDate)),
  });
  const first = daysAfter(today, 1 - days);
  const [now, previous] = [between(first, today), between(daysAfter(first, -days), daysAfter(first, -1))];
  const grown = (what: "downloads" | "redeemed" | "books" | "contacts") =>
    previous[what] === 0 ? null : round((now[what] - previous[what]) / previous[what]);
  const change = {
    downloads: grown("downloads"),
    redeemed: grown("redeemed"),
    books: grown("books"),
    contacts: grown("contacts"),
  };
  return { ...now, previous, change };
}

const round = (share: number): number => Math.round(share * 10_000) / 10_000;

interface Downloads {
  totalDownloads: number;
}
const downloadsOf = (rows: readonly Downloads[]): number[] =>
  rows.map(({ totalDownloads }) => totalDownloads);
const topTen = (rows: readonly Downloads[]): number[] =>
  downloadsOf(rows)
    .sort((a, b) => b - a)
    .slice(0, 10);
