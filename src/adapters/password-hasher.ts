/** Hashes passwords with argon2id, a few at a time: each needs a thread and 19 MiB, which file reads need as well. */
import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import { unavailable } from "../errors.ts";

/** OWASP Password Storage Cheat Sheet: argon2id (the library's default) with 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const MAX_WAITING = 20;

/** A native library, which only a log-in or a new password needs. */
export const loadArgon2 = () => import("@node-rs/argon2");

type HashParameters = typeof PARAMETERS;

export class PasswordHasher {
  readonly #parameters: HashParameters;
  readonly #limit = pLimit(AT_ONCE);
  readonly #decoy: string;

  constructor(parameters = PARAMETERS) {
    this.#parameters = parameters;
    this.#decoy = createDecoyHash(parameters);
  }

  /** @returns a PHC string */
  hash(password: string): Promise<string> {
    return this.#run(async () => (await loadArgon2()).hash(password, this.#parameters));
  }

  /** For an account that has no password yet: a hash of no known password. */
  createUnknown(): string {
    return createDecoyHash(this.#parameters);
  }

  /**
   * Compares a password with a stored hash. Without one (the account doesn't exist) it does the same work with a decoy
   * hash, so that the response time reveals nothing.
   */
  verify(password: string, storedHash: string | undefined): Promise<boolean> {
    return this.#run(async () => (await loadArgon2()).verify(storedHash ?? this.#decoy, password));
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limit.pendingCount >= MAX_WAITING) {
      const headers = { "Retry-After": "2" };
      throw unavailable("login_busy", "Too many log-ins are in progress. Try again shortly.", { headers });
    }
    return this.#limit(work);
  }
}

/** A hash of no known password. It is generated without hashing, so that not even the first log-in takes longer. */
function createDecoyHash({ memoryCost, timeCost, parallelism }: HashParameters): string {
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map((bytes) =>
    bytes.toString("base64").replaceAll("=", ""),
  );
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}
