/** Where a reader is and on what device, as an event keeps it. */
import type { GeoIp } from "../adapters/geo-ip.ts";
import type { UserAgents } from "../adapters/user-agents.ts";
import type { DownloadEventsTable } from "../db/schema.ts";
import { type AddressStorage, storedAddress } from "../lib/stored-address.ts";
import type { Client } from "./actor.ts";

type Facts = Pick<
  DownloadEventsTable,
  | "ipAddress"
  | "countryCode"
  | "countryName"
  | "city"
  | "deviceType"
  | "browserName"
  | "browserVersion"
  | "osName"
  | "osVersion"
  | "referrer"
  | "isBot"
>;

/** Who follows a link. A prefetch is a browser that guesses, not a reader. */
export interface Reader extends Client {
  isPrefetch: boolean;
}

const MAX_REFERRER = 500;

export class ReaderFacts {
  readonly #geoIp: GeoIp;
  readonly #userAgents: UserAgents;
  readonly #addressStorage: AddressStorage;

  constructor(uses: { geoIp: GeoIp; userAgents: UserAgents; addressStorage: AddressStorage }) {
    this.#geoIp = uses.geoIp;
    this.#userAgents = uses.userAgents;
    this.#addressStorage = uses.addressStorage;
  }

  of({ address, userAgent, referrer }: Client): Facts {
    const { isBot, ...device } = this.#userAgents.deviceOf(userAgent);
    return {
      ...device,
      isBot: isBot ? 1 : 0,
      // By the whole address, however little of it is kept.
      ...this.#geoIp.locate(address),
      ipAddress: storedAddress(address, this.#addressStorage),
      referrer: referrer.slice(0, MAX_REFERRER),
    };
  }
}
