/** Numbers for the origins of events: file type and campaign together, because few events differ in both. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { randomBase62 } from "../../adapters/system.ts";
import type { EventFilter } from "../exports/download-log.ts";
import { Dictionary } from "./items.ts";
import { RowNumbers } from "./row-numbers.ts";

/** The campaign parameters of a request; null for those that it didn't have. */
export interface Campaign {
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
}

export interface Origin extends Campaign {
  fileType: string;
}

/** No stored parameter contains a control character. */
const SEPARATOR = "\n";

/** Campaigns as keys of counts. */
export const campaignKey = ({ utmSource, utmMedium, utmCampaign }: Campaign): string =>
  [utmSource, utmMedium, utmCampaign].map((text) => text ?? "").join(SEPARATOR);

export function campaignOf(key: string): Campaign {
  const [utmSource, utmMedium, utmCampaign] = key.split(SEPARATOR).map((text) => text || null);
  return { utmSource: utmSource ?? null, utmMedium: utmMedium ?? null, utmCampaign: utmCampaign ?? null };
}

/** Most events have one of few origins, which needn't be hashed each time. */
const KEPT_KEYS = 1000;

const KEY_LENGTH = 32;

/** A parameter that the request didn't have. */
const NONE = [0, 0];

/**
 * Senders of forms choose campaigns freely, so there can be as many as events, each of them long: their texts aren't kept,
 * but 64 bits of a hash of each parameter. The key of the hash is secret, so no one can look for two texts with the same.
 */
export class Origins {
  readonly #key = randomBase62(KEY_LENGTH);
  readonly #fileTypes = new Dictionary<string>();
  /** Two words for each of the three parameters. */
  readonly #campaigns = new RowNumbers(6);
  /** The numbers of file type and campaign. */
  readonly #origins = new RowNumbers(2);
  readonly #recent = new LRUCache<string, number>({ max: KEPT_KEYS });

  get campaignsCount(): number {
    return this.#campaigns.length;
  }

  numberOf(origin: Origin): number {
    const { fileType, utmSource, utmMedium, utmCampaign } = origin;
    const key = `${fileType}${SEPARATOR}${campaignKey(origin)}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const words = [utmSource, utmMedium, utmCampaign].flatMap((text) => (text ? this.#hash(text) : NONE));
    const campaign = this.#campaigns.addRow(words);
    const number = this.#origins.addRow([this.#fileTypes.addWord(fileType), campaign]);
    this.#recent.set(key, number);
    return number;
  }

  /** The number of the campaign, by that of the origin. Valid until there is a new origin. */
  listCampaigns(): Int32Array {
    const [, campaigns = new Uint32Array(0)] = this.#origins.columns;
    return new Int32Array(campaigns.buffer, 0, this.#origins.length);
  }

  /** By origin number: 1 for each origin that the filter selects. Undefined if the filter concerns none of it. */
  selectedBy({ fileType, utmSource, utmMedium, utmCampaign }: EventFilter): Uint8Array | undefined {
    const asked = [utmSource, utmMedium, utmCampaign];
    if (fileType === undefined && asked.every((text) => text === undefined)) return undefined;
    const words = asked.flatMap((text) => (text === undefined ? [undefined, undefined] : this.#hash(text)));
    const campaigns = selectRows(this.#campaigns, words);
    const type = fileType === undefined ? undefined : (this.#fileTypes.find(fileType) ?? UNKNOWN);
    const origins = selectRows(this.#origins, [type]);
    for (const [origin, campaign] of this.listCampaigns().entries())
      if (campaigns[campaign] === 0) origins[origin] = 0;
    return origins;
  }

  #hash(text: string): number[] {
    const digest = hash("sha256", this.#key + text);
    return [digest.slice(0, 8), digest.slice(8, 16)].map((digits) => Number.parseInt(digits, 16));
  }
}

/** No word has it. */
const UNKNOWN = -1;

/** By number: 1 for each row with these words; any word where one is undefined. */
function selectRows({ columns, length }: RowNumbers, words: readonly (number | undefined)[]): Uint8Array {
  const selected = new Uint8Array(length).fill(1);
  for (const [index, word] of words.entries()) {
    const column = columns[index];
    if (word === undefined || !column) continue;
    for (let number = 0; number < length; number += 1) if (column[number] !== word) selected[number] = 0;
  }
  return selected;
}
