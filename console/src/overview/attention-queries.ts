/** What needs attention, from the parts of the API that know it. */
import { queryOptions } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { isOldCityDatabase } from "../lib/city-database.ts";

const DAY = 86_400_000;
const EXPIRY_DAYS = 30;
/** Gaps are counted language by language: so many at most. */
const LANGUAGES = 10;

const rarely = { staleTime: 300_000, retry: false };

/** The errors that the last examination found. */
export const lastExaminationQuery = queryOptions({
  ...rarely,
  queryKey: ["attention", "doctor"],
  async queryFn() {
    const { report, finishedAt } = await receive(api.GET("/api/admin/doctor/last"));
    const errors = report?.findings.filter(({ severity }) => severity === "error") ?? [];
    return { errors: errors.length, finishedAt };
  },
});

/** By language: books that are available and on no channel, books on channels without a file, and channels without all books. */
export const gapsQuery = queryOptions({
  ...rarely,
  queryKey: ["attention", "gaps"],
  async queryFn() {
    const { languages } = await receive(api.GET("/api/admin/languages"));
    const active = languages.filter(({ isActive }) => isActive === 1);
    const first = chooseLanguages(active);
    const gaps = [];
    // One after the other: each looks through the catalogue.
    for (const language of first) {
      const params = { query: { languageCode: language.code } };
      const found = await receive(api.GET("/api/admin/channels/gaps", { params }));
      if (found.coverage.length === 0) continue;
      const counts = { unpublished: found.notOnAnyChannel.length, withoutFile: found.withoutFile.length };
      const channels = chooseIncomplete(found.coverage);
      if (counts.unpublished + counts.withoutFile + channels.length > 0)
        gaps.push({ language, ...counts, channels });
    }
    return { gaps, lookedAt: first.length, of: active.length };
  },
});

/** Those with the most books. */
export const chooseLanguages = <L extends { booksCount: number }>(languages: readonly L[]): L[] =>
  languages.toSorted((one, other) => other.booksCount - one.booksCount).slice(0, LANGUAGES);

type Coverage = Pick<Schemas["PublicationGaps"]["coverage"][number], "name" | "published" | "publishable">;

/** Channels with a part of the available books, those with the fewest first: one without any isn't for this language. */
export const chooseIncomplete = <C extends Coverage>(coverage: readonly C[]): C[] =>
  coverage
    .filter(({ published, publishable }) => published > 0 && published < publishable)
    .toSorted((one, other) => one.published - other.published);

/** Keys that have expired or soon will. */
export const expiringKeysQuery = queryOptions({
  ...rarely,
  queryKey: ["attention", "keys"],
  async queryFn() {
    const { apiKeys } = await receive(api.GET("/api/admin/api-keys"));
    return listExpiring(apiKeys, Date.now());
  },
});

const listExpiring = (keys: readonly Schemas["ApiKey"][], now: number) =>
  keys.flatMap(({ id, name, expiresAt }) => {
    if (expiresAt === null || Date.parse(expiresAt) > now + EXPIRY_DAYS * DAY) return [];
    return [{ id, name, expiresAt, hasExpired: Date.parse(expiresAt) <= now }];
  });

export const installationQuery = queryOptions({
  ...rarely,
  queryKey: ["attention", "settings"],
  async queryFn() {
    const { geoipBuiltAt, lastBackupAt } = await receive(api.GET("/api/admin/settings"));
    return { oldCityDatabase: isOldCityDatabase(geoipBuiltAt) ? geoipBuiltAt : null, lastBackupAt };
  },
});
