/** Finds readers in the ranges of proxies that TRUST_PROXY trusts: what they write into X-Forwarded-For is believed. */
import { parseTrustedRange, type TrustedRange } from "../../lib/trusted-ranges.ts";
import type { EventsRepository } from "../../repositories/events.repository.ts";
import type { Findings } from "./findings.ts";

/** Of the last requests: enough to see readers of an office or a school, and read in a moment. */
const ADDRESSES = 5000;

interface Deps {
  events: Pick<EventsRepository, "listRecentAddresses">;
  /** A number of hops, or ranges. */
  trustProxy: number | readonly string[];
}

/** Hops don't depend on addresses. Addresses that aren't stored can't be found. */
export async function checkTrustedReaders(findings: Findings, { events, trustProxy }: Deps): Promise<void> {
  findings.begin("trusted_readers");
  if (typeof trustProxy === "number") return;
  const addresses = await events.listRecentAddresses(ADDRESSES);
  for (const range of trustProxy.map(parseTrustedRange)) {
    const message = describe(range, addresses);
    if (message === undefined) continue;
    findings.add("trusted_readers", { kind: "setting", id: "TRUST_PROXY", name: range.text }, message);
  }
}

function describe(
  { text, isTooWide, contains }: TrustedRange,
  addresses: readonly string[],
): string | undefined {
  if (isTooWide) return `TRUST_PROXY trusts ${text}, which contains the addresses of readers.`;
  const readers = addresses.filter(contains).length;
  if (readers === 0) return undefined;
  return `TRUST_PROXY trusts ${text}, and ${readers} of the last ${addresses.length} requested downloads came from there.`;
}
