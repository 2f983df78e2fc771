/** Adds letters to the outbox, in the transaction of the change that asks for them. */
import { createHmac, hkdfSync } from "node:crypto";
import { isIPv6 } from "node:net";
import { ISSUER } from "../../adapters/tokens.ts";
import { splitAddress } from "../../lib/email.ts";
import { toAsciiHostName } from "../../lib/host-name.ts";
import { findIpv6Network, unmapAddress } from "../../lib/ip-address.ts";
import type { UnauditedRepositories } from "../../repositories/index.ts";
import type { NewLetter } from "../../repositories/letters.repository.ts";

/** A letter, to whom it goes, and from where it was asked for. */
type Order = Omit<NewLetter, "recipient" | "sender" | "maxWaiting"> & {
  email: string;
  /** Of the client; undefined for an administrator's change, and empty if a site with a key doesn't say it. */
  address: string | undefined;
};

/** A letter that would leave later than in a day isn't written: one client can't fill the outbox of all. */
const MOST_HOURS = 24;

export class LetterWriter {
  readonly #key: Buffer;
  readonly #maxWaiting: number;

  /** @param deps.secret AUTH_SECRET @param deps.perSenderHour how many letters leave in an hour that one client has asked for */
  constructor({ secret, perSenderHour = 0 }: { secret: string; perSenderHour?: number | undefined }) {
    this.#maxWaiting = MOST_HOURS * perSenderHour;
    this.#key = Buffer.from(hkdfSync("sha256", secret, ISSUER, "mail-limits", 32));
  }

  /** @returns whether a letter was added: its recipient may have got too many, or its sender asked for too many */
  add({ letters }: Pick<UnauditedRepositories, "letters">, order: Order): Promise<boolean> {
    const { email, address, ...letter } = order;
    const recipient = this.#hash("recipient", foldAddress(email));
    const sender = this.nameSender(address);
    return letters.add({ ...letter, recipient, sender, maxWaiting: this.#maxWaiting });
  }

  /** A keyed hash of the address of a client; null without one. */
  nameSender(address: string | undefined): string | null {
    return address ? this.#hash("sender", foldClient(address)) : null;
  }

  #hash(purpose: string, value: string): string {
    return createHmac("sha256", this.#key).update(`${purpose} ${value}`).digest("base64url");
  }
}

/** Addresses that lead to one mailbox: case, what follows a plus sign and the notation of the domain don't count. */
function foldAddress(email: string): string {
  const { localPart, domain } = splitAddress(email.toLowerCase());
  // An address can begin with a plus sign.
  return `${localPart.replace(/(?<=.)\+.*$/, "")}@${toAsciiHostName(domain) ?? domain}`;
}

/** The /56 network of an IPv6 address is what one connection usually gets. */
function foldClient(address: string): string {
  const own = unmapAddress(address);
  return isIPv6(own) ? findIpv6Network(own, 56) : own;
}
