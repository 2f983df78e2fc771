/** Numbers for the origins of events: file type and campaign together, because few events differ in both. */
import type { EventFilter } from "../exports/download-log.ts";
import { Dictionary } from "./items.ts";

/** The campaign parameters of a request; null for those that it didn't have. */
export interface Campaign {
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
}

export interface Origin extends Campaign {
  fileType: string;
}

/** Senders of forms choose campaigns freely, so there can be as many as events. */
const MAX_ORIGINS = 2 ** 24;

/** No stored parameter contains a control character. */
const SEPARATOR = "\n";

/** Campaigns as keys of counts. */
export const campaignKey = ({ utmSource, utmMedium, utmCampaign }: Campaign): string =>
  [utmSource, utmMedium, utmCampaign].map((text) => text ?? "").join(SEPARATOR);

export function campaignOf(key: string): Campaign {
  const [utmSource, utmMedium, utmCampaign] = key.split(SEPARATOR).map((text) => text || null);
  return { utmSource: utmSource ?? null, utmMedium: utmMedium ?? null, utmCampaign: utmCampaign ?? null };
}

export class Origins {
  /** By number. */
  readonly list: { fileType: string; campaign: number }[] = [];
  /** The keys of campaigns. */
  readonly campaigns = new Dictionary<string>(MAX_ORIGINS);
  /** By file type, and by the number of the campaign. */
  readonly #numbers = new Map<string, Map<number, number>>();

  /** @throws RangeError if all numbers are in use */
  numberOf(origin: Origin): number {
    const { fileType } = origin;
    const campaign = this.campaigns.addWord(campaignKey(origin));
    const numbers = this.#numbers.getOrInsertComputed(fileType, () => new Map<number, number>());
    return numbers.getOrInsertComputed(campaign, () => this.list.push({ fileType, campaign }) - 1);
  }

  /** By origin number: 1 for each origin that the filter selects. Undefined if the filter concerns none of it. */
  selectedBy({ fileType, utmSource, utmMedium, utmCampaign }: EventFilter): Uint8Array | undefined {
    if ([fileType, utmSource, utmMedium, utmCampaign].every((value) => value === undefined)) return undefined;
    const campaigns = Uint8Array.from(this.campaigns.words, (key) => {
      const campaign = campaignOf(key);
      const isSelected =
        isAsked(utmSource, campaign.utmSource) &&
        isAsked(utmMedium, campaign.utmMedium) &&
        isAsked(utmCampaign, campaign.utmCampaign);
      return isSelected ? 1 : 0;
    });
    return Uint8Array.from(this.list, ({ fileType: type, campaign }) =>
      isAsked(fileType, type) ? (campaigns[campaign] ?? 0) : 0,
    );
  }
}

const isAsked = (asked: string | undefined, value: string | null): boolean =>
  asked === undefined || asked === value;
