/** What readers have left: each request and its contact, together. */
import { z } from "zod";
import { contactList } from "../../../src/schemas/contacts.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Ledger } from "../ledger.ts";
import type { Findings } from "./findings.ts";

const PAGE = 200;

const row = z.object({
  id: z.string(),
  downloadedAt: z.string(),
  booksCount: z.coerce.number(),
  languageCode: z.string(),
  ipAddress: z.string(),
  contactEmail: z.string(),
  redeemedAt: z.string(),
  utmCampaign: z.string(),
});
export type EventRow = z.output<typeof row>;

/** All events, as the export has them. */
export async function readEvents(admin: ServiceClient): Promise<EventRow[]> {
  const response = await admin.send("/api/admin/analytics/downloads/export?bom=0&raw=1");
  if (response.status !== 200) throw new Error(`The export of the events answers ${response.status}`);
  const [header = "", ...lines] = response.bytes.toString().trimEnd().split("\r\n");
  const columns = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    // Nothing that the drill sends has to be quoted.
    if (cells.length !== columns.length) throw new Error(`A line of the export is cut off: ${line}`);
    return row.parse(Object.fromEntries(columns.map((column, index) => [column, cells[index]])));
  });
}

export async function checkRecords(
  ledger: Ledger,
  admin: ServiceClient,
  findings: Findings,
): Promise<EventRow[]> {
  const rows = await readEvents(admin);
  const byCampaign = new Map(rows.map((event) => [event.utmCampaign, event]));
  if (byCampaign.size !== rows.length) findings.addLoss("a request for a download is there twice");
  for (const key of new Set([...ledger.events.keys, ...byCampaign.keys()])) {
    const event = byCampaign.get(key);
    const state = event && {
      email: event.contactEmail,
      isRedeemed: ledger.isRedemptionCompared(event.contactEmail)
        ? event.redeemedAt !== ""
        : (ledger.events.getState(key)?.isRedeemed ?? false),
    };
    findings.compare(`the download ${key}`, ledger.events, key, state);
    if (event?.contactEmail === "" && event.ipAddress !== "")
      findings.addLoss(`${key} keeps an erased address`);
  }
  await checkContacts(ledger, admin, rows, findings);
  return rows;
}

async function checkContacts(
  ledger: Ledger,
  admin: ServiceClient,
  rows: readonly EventRow[],
  findings: Findings,
): Promise<void> {
  const totals = await readContacts(admin);
  const events = Map.groupBy(rows, ({ contactEmail }) => contactEmail);
  for (const email of new Set([...ledger.contacts.keys, ...totals.keys()])) {
    const total = totals.get(email);
    findings.compare(`the contact ${email}`, ledger.contacts, email, total);
    const there = events.get(email)?.length ?? 0;
    if (there !== (total ?? 0))
      findings.addLoss(`the contact ${email} has ${there} downloads and counts ${total}`);
  }
}

/** How often each has asked, by e-mail. */
async function readContacts(admin: ServiceClient): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (let page = 1; ; page += 1) {
    const path = `/api/admin/contacts?limit=${PAGE}&page=${page}`;
    const { contacts, pagination } = await admin.read(path, contactList);
    for (const { email, totalDownloads } of contacts) totals.set(email, totalDownloads);
    if (page * PAGE >= pagination.total) return totals;
  }
}
