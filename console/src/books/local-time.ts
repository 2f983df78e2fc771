/** Times as `<input type="datetime-local">` has them, in the zone of the browser. */

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** @param iso a time of the API @returns `2026-04-01T12:00`, with seconds only where there are some; empty for none */
export function toLocalTime(iso: string | null | undefined): string {
  if (!iso) return "";
  const time = new Date(iso);
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  const seconds = time.getSeconds();
  const minutes = `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
  return `${day.padStart(10, "0")}T${minutes}${seconds === 0 ? "" : `:${twoDigits(seconds)}`}`;
}

/** @returns a time for the API; null for an empty field, and for what is no time */
export function fromLocalTime(local: string): string | null {
  const time = local === "" ? Number.NaN : Date.parse(local);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
