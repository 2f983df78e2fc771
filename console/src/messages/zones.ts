/** The time zone in which days begin: that of the address, otherwise the last one chosen, otherwise the browser's. */
import { readStored, writeStored } from "../lib/browser-storage.ts";
import { findBrowserZone, isZone } from "./browser-zone.ts";

const STORED = "console.timezone";

/** The one in which the console shows times. */
export const findShownZone = (): string => readKeptZone() ?? findBrowserZone();

export function readZone(query: URLSearchParams): string {
  return [query.get("timezone"), readStored(STORED)].find(isZone) ?? findBrowserZone();
}

/** The last one chosen; undefined: the browser's. */
export function readKeptZone(): string | undefined {
  const kept = readStored(STORED);
  return isZone(kept) ? kept : undefined;
}

/** @param name undefined: the browser's from now on */
export const keepZone = (name: string | undefined): boolean => writeStored(STORED, name);

/** Of the world, in alphabetical order, with the one that is chosen. */
export const listZones = (chosen: string): string[] =>
  [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])].sort();
