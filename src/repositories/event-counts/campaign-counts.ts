/** Counts campaigns: those with the most downloads, and the others together. */
import { compareNames } from "../../lib/collections.ts";
import {
  type CountQuestion,
  type CountResponse,
  keyOf,
  NO_GROUPS,
  type OtherGroups,
  pickRows,
} from "./count-query.ts";
import { countRows, type MappedGrouping } from "./counts.ts";
import type { EventColumns } from "./event-columns.ts";
import { type Campaign, campaignKey } from "./origins.ts";
import { DELETED } from "./rows.ts";
import { createScope } from "./scan.ts";

type CampaignQuestion = Extract<CountQuestion, { by: "campaign" }>;

const NO_OTHERS: OtherGroups = { groups: 0, downloads: 0, books: 0, contacts: 0 };

/** The key of a row is the id of an event, from which the campaign can be read. */
export function countCampaigns(columns: EventColumns, { limit, filter }: CampaignQuestion): CountResponse {
  const scope = createScope(columns, filter);
  if (!scope) return { ...NO_GROUPS, others: NO_OTHERS };
  const { campaignsCount } = columns.origins;
  const campaigns = columns.origins.listCampaigns();
  const groupBy = (groups: Int32Array, size: number): MappedGrouping => ({
    by: "mapped",
    column: "origins",
    groups,
    size,
  });
  const grouping = groupBy(campaigns, campaignsCount);
  const totals = countRows({ columns, scope, grouping }, keyOf(filter, "campaigns"));
  const largest = findLargest(totals.downloads, limit);
  const others = {
    groups: countGroups(totals.downloads) - largest.length,
    downloads: sumWithout(totals.downloads, largest),
    books: sumWithout(totals.books, largest),
    contacts: 0,
  };
  if (others.groups > 0) {
    const isOther = new Uint8Array(campaignsCount).fill(1);
    for (const campaign of largest) isOther[campaign] = 0;
    const grouping = groupBy(
      campaigns.map((campaign) => isOther[campaign] ?? 0),
      2,
    );
    const key = keyOf(filter, ["campaigns without", largest]);
    others.contacts = countRows({ columns, scope, grouping }, key).contacts[1] ?? 0;
  }
  const events = findEvents(columns, largest);
  const keys = largest.map((campaign) => events.get(campaign) ?? null);
  return { ...pickRows(totals, largest), keys, others };
}

/** The groups with the most downloads, at most `limit`, in ascending order. Among equals, those that came first. */
function findLargest(downloads: Float64Array, limit: number): number[] {
  const least = Math.max(downloads.toSorted().at(-limit) ?? 0, 1);
  let room = limit;
  for (const count of downloads) if (count > least) room -= 1;
  const largest: number[] = [];
  for (const [group, count] of downloads.entries()) {
    const isEqual = count === least;
    if (count > least || (isEqual && room > 0)) largest.push(group);
    if (isEqual) room -= 1;
  }
  return largest;
}

const countGroups = (downloads: Float64Array): number =>
  downloads.reduce((groups, count) => groups + (count > 0 ? 1 : 0), 0);

const sumWithout = (counts: Float64Array, groups: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0) -
  groups.reduce((sum, group) => sum + (counts[group] ?? 0), 0);

/** An event of each of these campaigns. */
function findEvents(
  { base, delta, origins }: EventColumns,
  campaigns: readonly number[],
): ReadonlyMap<number, number> {
  const campaignOf = origins.listCampaigns();
  const isSought = new Uint8Array(origins.campaignsCount);
  for (const campaign of campaigns) isSought[campaign] = 1;
  const events = new Map<number, number>();
  for (const rows of [base, delta]) {
    for (let place = 0; place < rows.length && events.size < campaigns.length; place += 1) {
      const campaign = campaignOf[rows.origins[place] ?? 0] ?? 0;
      if (isSought[campaign] === 0 || ((rows.marks[place] ?? 0) & DELETED) !== 0) continue;
      events.set(campaign, rows.ids[place] ?? 0);
      isSought[campaign] = 0;
    }
  }
  return events;
}

/** With the campaigns as keys: most downloads first, then by name. */
export function nameCampaigns(
  { keys, others = NO_OTHERS, ...totals }: CountResponse,
  campaigns: ReadonlyMap<number, Campaign>,
): CountResponse {
  const names = keys.map((id) => {
    const campaign = campaigns.get(Number(id));
    return campaign ? campaignKey(campaign) : "";
  });
  const downloadsOf = (row: number): number => totals.downloads[row] ?? 0;
  const rows = [...names.keys()].sort(
    (one, other) =>
      downloadsOf(other) - downloadsOf(one) || compareNames(names[one] ?? "", names[other] ?? ""),
  );
  return { ...pickRows(totals, rows), keys: rows.map((row) => names[row] ?? ""), others };
}
