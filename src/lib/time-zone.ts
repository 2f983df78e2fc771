/** Time zones: what the clocks of one show, and when its days begin. Days stand as midnights in UTC, in any zone. */
import { Lru } from "./lru.ts";
import { DAY, isoTime } from "./time.ts";

export interface Zone {
  /** Writes an instant with the zone's offset: `..., GMT+05:45`. */
  format: Intl.DateTimeFormat;
  /** Offsets that have been asked for: reports ask for the same days time and again. */
  knownOffsets: Map<number, number>;
}

/** Making a formatter takes a hundred times as long as using it. */
const zones = new Lru<Zone>({ maxWeight: 64, weigh: () => 1 });
/** Of a zone: those of thirty years. */
const MOST_OFFSETS = 4000;

/** What ICU takes beside IANA names: offsets, and old abbreviations of its own (`BST` would be Bangladesh). */
const NOT_IANA = /^(?:[+-]|SystemV\/|(?!UTC|GMT|UCT|EST|MST|HST|CET|EET|MET|WET|PRC|ROC|ROK)[a-z]{3}$)/i;

/** Undefined when IANA names no such zone. */
export function zoneNamed(timezone: string): Zone | undefined {
  const known = zones.get(timezone);
  if (known !== undefined || NOT_IANA.test(timezone)) return known;
  try {
    const options = { timeZone: timezone, timeZoneName: "longOffset" } as const;
    const format = new Intl.DateTimeFormat("en-US", options);
    const zone = { format, knownOffsets: new Map<number, number>() };
    zones.set(timezone, zone);
    return zone;
  } catch {
    return undefined; // RangeError: no such zone
  }
}

/** The zone of a request whose dates have been read; UTC unless it names one. */
export function zoneOf(timezone = "UTC"): Zone {
  const zone = zoneNamed(timezone);
  if (!zone) throw new RangeError(`There is no time zone ${timezone}`);
  return zone;
}

/** The first instant whose local date is the given day or, where the calendar left that day out, a later one. */
export function startOfDay(midnight: number, zone: Zone): number {
  return midnight - (steadyOffset(midnight, zone) ?? offsetAtStart(midnight, zone));
}

/** The day to which an instant belongs: the last one that has begun. */
export function dayOf(at: number, zone: Zone): number {
  let midnight = Math.floor((at + offsetAt(at, zone)) / DAY) * DAY;
  // A clock that is put back over midnight shows the day before once more.
  while (startOfDay(midnight + DAY, zone) <= at) midnight += DAY;
  return midnight;
}

/** No clock has been changed twice within six days since 1970, nor will be as far as it is known. */
const STEP_DAYS = 3;

/** The offset if it is the same for days before and after; undefined when the clock is changed there. */
function steadyOffset(midnight: number, zone: Zone): number | undefined {
  const day = midnight / DAY;
  const before = offsetAtStep(Math.floor((day - 1) / STEP_DAYS), zone);
  const after = offsetAtStep(Math.ceil((day + 1) / STEP_DAYS), zone);
  return before === after ? before : undefined;
}

function offsetAtStep(step: number, zone: Zone): number {
  const { knownOffsets } = zone;
  const known = knownOffsets.get(step);
  if (known !== undefined) return known;
  if (knownOffsets.size === MOST_OFFSETS) knownOffsets.clear();
  const offset = offsetAt(step * STEP_DAYS * DAY, zone);
  knownOffsets.set(step, offset);
  return offset;
}

/**
 * The offset that puts a day's midnight at the first instant of that day. Where the clock is changed, midnight itself may
 * have been skipped: the border is searched between the two candidates.
 */
function offsetAtStart(midnight: number, zone: Zone): number {
  const offsets = [offsetAt(midnight - DAY, zone), offsetAt(midnight + DAY, zone)];
  let before = midnight - Math.max(...offsets);
  let found = midnight - Math.min(...offsets);
  const hasBegun = (at: number) => at + offsetAt(at, zone) >= midnight;
  if (hasBegun(before)) return midnight - before;
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2);
    if (hasBegun(middle)) found = middle;
    else before = middle;
  }
  return midnight - found;
}

/** `2026-03-01T15:00:00.000+03:00`, to the minute as far as the offset goes; in UTC without a zone. */
export function zonedTime(at: number, zone: Zone | undefined): string {
  if (zone === undefined) return isoTime(at);
  const step = Math.floor(at / DAY / STEP_DAYS);
  const before = offsetAtStep(step, zone);
  const offset = before === offsetAtStep(step + 1, zone) ? before : offsetAt(at, zone);
  const minutes = Math.round(offset / 60_000);
  const local = isoTime(at + minutes * 60_000).slice(0, -"Z".length);
  return `${local}${minutes < 0 ? "-" : "+"}${isoTime(Math.abs(minutes) * 60_000).slice("1970-01-01T".length, -":00.000Z".length)}`;
}

/** Local time less UTC, in milliseconds. */
function offsetAt(at: number, zone: Zone): number {
  const [, sign, hours, minutes, seconds = "0"] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone.format.format(at)) ?? [];
  const amount = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  if (sign === undefined) return 0;
  return sign === "-" ? -amount : amount;
}
