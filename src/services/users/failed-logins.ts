/** Records failed log-ins in the audit log: one row with a count per account, address and quarter of an hour. */
import { createHash } from "node:crypto";
import { randomBase62 } from "../../adapters/system.ts";
import type { Tokens } from "../../adapters/tokens.ts";
import { outsideRequest } from "../../db/request-scope.ts";
import { type AddressStorage, reduceAddress } from "../../lib/ip-address.ts";
import { DAY } from "../../lib/time.ts";
import type { UserRow, UsersRepository } from "../../repositories/users.repository.ts";
import { type CommonDeps, Service } from "../shared/service.ts";

const WINDOW_MS = 15 * 60_000;
/**
 * Rows per window. All further failures share one more row, so an attacker with any number of addresses adds at most
 * 19,296 rows (about 6 MB) a day.
 */
const MAX_ROWS = 200;

interface FailedLogin {
  /**
   * The account, if it exists. An unknown user name isn't stored, because it can be a password that was typed into the
   * wrong field.
   */
  user: UserRow | undefined;
  address: string;
  requestId: string | null;
}

interface Counted {
  id: Promise<number>;
  count: number;
}

interface FailedLoginsDeps extends Pick<CommonDeps, "write" | "clock" | "log"> {
  addressStorage: AddressStorage;
}

export class FailedLogins extends Service<FailedLoginsDeps> {
  #counted = new Map<string, Counted>();
  #begunAt = 0;

  /** Never throws and isn't awaited, so that the response time reveals nothing about the account. */
  async record(failed: FailedLogin): Promise<void> {
    try {
      // A client that guesses passwords may leave before the response.
      await outsideRequest(() => this.#count(failed));
    } catch (error) {
      this.deps.log.error({ err: error }, "could not record a failed log-in");
    }
  }

  async #count({ user, address, requestId }: FailedLogin): Promise<void> {
    const at = this.deps.clock.now();
    this.#beginWindow(at);
    const ipAddress = reduceAddress(address, this.deps.addressStorage);
    const key = `${user?.id ?? ""} ${ipAddress ?? ""}`;
    const isOverflow = !this.#counted.has(key) && this.#counted.size >= MAX_ROWS;
    const who = isOverflow ? OVERFLOW : { key, user, ipAddress, requestId };
    const known = this.#counted.get(who.key);
    if (known) {
      known.count += 1;
      const { count } = known;
      const id = await known.id;
      return this.deps.write(({ failedLogins }) => failedLogins.updateCount(id, count));
    }
    const { key: _, ...row } = who;
    const id = this.deps.write(({ failedLogins }) => failedLogins.insert({ at, ...row }));
    this.#counted.set(who.key, { id, count: 1 });
    await id.catch((error: unknown) => {
      this.#counted.delete(who.key);
      throw error;
    });
  }

  /** Also begins a window when the clock was set back. */
  #beginWindow(now: number): void {
    if (now >= this.#begunAt && now < this.#begunAt + WINDOW_MS) return;
    this.#begunAt = now;
    this.#counted = new Map();
  }
}

/** Names no account or address: the row for failures above the limit. */
const OVERFLOW = { key: "beyond", user: undefined, ipAddress: null, requestId: null };

const LIFE_MS = 90 * DAY;
const ID_CHARACTERS = 22;
const SEPARATOR = ".";

export interface KnownDevice {
  id: string;
  /** Whether the browser has logged in to this account before, with the account's current password. */
  hasLoggedInTo(email: string): Promise<boolean>;
}

interface KnownDevicesDeps {
  users: UsersRepository;
  tokens: Tokens;
}

export class KnownDevices extends Service<KnownDevicesDeps> {
  /** The browser that a token identifies; undefined unless the token is valid and less than 90 days old. */
  async read(token: string | undefined): Promise<KnownDevice | undefined> {
    const check = token === undefined ? undefined : await this.deps.tokens.check(token);
    if (check?.kind !== "valid") return undefined;
    const [id = "", mark] = check.claims.subject.split(SEPARATOR);
    const hasLoggedInTo = async (email: string) => {
      const user = await this.deps.users.findByEmail(email);
      return user !== undefined && markOf(user) === mark;
    };
    return { id, hasLoggedInTo };
  }

  /**
   * A token for the browser that has just logged in. It keeps the id of the former token if that was for the same
   * account.
   */
  async issue(user: UserRow, former: string | undefined): Promise<{ token: string; expiresAt: number }> {
    const known = await this.read(former);
    const isSame = known !== undefined && (await known.hasLoggedInTo(user.email));
    const id = isSame ? known.id : randomBase62(ID_CHARACTERS);
    return this.deps.tokens.issue([id, markOf(user)].join(SEPARATOR), LIFE_MS);
  }
}

/**
 * Identifies the account and its password: a new password invalidates all tokens. The password hash is salted, so the
 * mark reveals nothing.
 */
const markOf = ({ id, passwordHash }: UserRow): string =>
  createHash("sha256").update(`${id} ${passwordHash}`).digest("base64url");
