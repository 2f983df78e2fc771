/** Browsers that have logged in to an account before: a stranger's wrong guesses don't keep them out. */
import { createHash } from "node:crypto";
import { randomBase62 } from "../adapters/random.ts";
import type { Tokens } from "../adapters/tokens.ts";
import type { UserRow, UsersRepository } from "../repositories/users.repository.ts";

const LIFE_MS = 90 * 86_400_000;
const ID_CHARACTERS = 22;
const SEPARATOR = ".";

export interface KnownDevice {
  id: string;
  /** Whether it is this account that the browser has logged in to, with the password that the account has now. */
  hasLoggedInTo(email: string): Promise<boolean>;
}

export class KnownDevices {
  readonly #users: UsersRepository;
  readonly #tokens: Tokens;

  constructor(deps: { users: UsersRepository; tokens: Tokens }) {
    this.#users = deps.users;
    this.#tokens = deps.tokens;
  }

  /** The browser behind a token; undefined unless the token is genuine and less than 90 days old. */
  read(token: string | undefined): KnownDevice | undefined {
    const check = token === undefined ? undefined : this.#tokens.check(token);
    if (check?.kind !== "valid") return undefined;
    const [id = "", mark] = check.claims.subject.split(SEPARATOR);
    const hasLoggedInTo = async (email: string) => {
      const user = await this.#users.findByEmail(email);
      return user !== undefined && markOf(user) === mark;
    };
    return { id, hasLoggedInTo };
  }

  /** A token for the browser that has just logged in. Its former one, if it is for this account, keeps its id. */
  async issue(user: UserRow, former: string | undefined): Promise<{ token: string; expiresAt: number }> {
    const known = this.read(former);
    const isSame = known !== undefined && (await known.hasLoggedInTo(user.email));
    const id = isSame ? known.id : randomBase62(ID_CHARACTERS);
    return this.#tokens.issue([id, markOf(user)].join(SEPARATOR), LIFE_MS);
  }
}

/** Of the account and its password: a new password ends all tokens. The hash holds a salt, so nothing can be guessed from it. */
const markOf = ({ id, passwordHash }: UserRow): string =>
  createHash("sha256").update(`${id} ${passwordHash}`).digest("base64url");
