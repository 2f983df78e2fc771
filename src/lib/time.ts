/** Epoch milliseconds as the interface sends them. */

/** `2026-03-01T12:00:00.000Z` */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);
