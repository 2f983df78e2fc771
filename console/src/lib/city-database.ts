/** The age from which on a City database is old: as the doctor of the service finds it. */

const DAY_MS = 86_400_000;
const OLD_DAYS = 30;

/** In whole days, which a clock that is behind makes negative. */
export const cityDatabaseDays = (builtAt: string, now = Date.now()): number =>
  Math.floor((now - Date.parse(builtAt)) / DAY_MS);

export const isOldCityDatabase = (builtAt: string | null, now = Date.now()): boolean =>
  builtAt !== null && cityDatabaseDays(builtAt, now) > OLD_DAYS;
