/** Where people and programs sit: what a proxy says of their address, and what they say of themselves. */
import { DEVICE_AGENTS } from "../device-agents.ts";
import type { Dice } from "../dice.ts";
import { ADDRESSES, type ReaderAddress } from "./addresses.ts";

export interface ReaderAgent {
  /** The User-Agent header; undefined is none. */
  userAgent: string | undefined;
  deviceType: string;
}

export interface Seat extends ReaderAddress, ReaderAgent {}

const REAL: readonly ReaderAgent[] = Object.entries(DEVICE_AGENTS).flatMap(([deviceType, headers]) =>
  headers
    .trim()
    .split("\n")
    .map((userAgent) => ({ userAgent, deviceType })),
);

/** From those who want to be taken for nobody, or want to harm. */
const ODD: readonly ReaderAgent[] = [
  { userAgent: undefined, deviceType: "other" },
  { userAgent: "", deviceType: "other" },
  { userAgent: "Mozilla/5.0", deviceType: "bot" },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0 ${"x".repeat(5000)}`,
    deviceType: "desktop",
  },
  { userAgent: `Mozilla/5.0 (Linux; Android 14; ${"(".repeat(5000)}`, deviceType: "other" },
  {
    userAgent: "Mozilla/5.0 (Linux; Android 13; T\u00e9l\u00e9phone \u00ff) Chrome/126.0.0.0 Mobile",
    deviceType: "mobile",
  },
  { userAgent: '=HYPERLINK("http://example.org")', deviceType: "bot" },
  { userAgent: "'; drop table download_events; --", deviceType: "bot" },
  { userAgent: "<script>alert(1)</script>", deviceType: "bot" },
];

/** The server of a site that sends in forms. */
const SITE: ReaderAgent = { userAgent: "axios/1.7.2", deviceType: "other" };

export const USER_AGENTS: readonly ReaderAgent[] = [...REAL, SITE, ...ODD];

/** Each address and each header comes up among the first; afterwards those at the beginning more often. */
export function seatOf(reader: number, roll: Dice): Seat {
  const ofAll = <T>(all: readonly T[]): T | undefined =>
    all[reader < ALL ? reader % all.length : Math.min(roll(all.length), roll(all.length))];
  return { ...UNSEEN, ...ofAll(ADDRESSES), ...ofAll(USER_AGENTS) };
}

/** So many readers have every address and every header. */
export const ALL = Math.max(ADDRESSES.length, USER_AGENTS.length);

const UNSEEN: Seat = { sent: "", address: "", countryCode: "", userAgent: "", deviceType: "" };
