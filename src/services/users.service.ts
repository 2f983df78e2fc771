/** Administrators' accounts. The first is made from the configuration or the command line. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { PasswordHasher } from "../adapters/password-hasher.ts";
import { conflict, invalidInput } from "../errors.ts";
import { isCommonPassword } from "../lib/common-passwords.ts";
import { normalizeEmail } from "../lib/email.ts";
import type { WriteRecords } from "../repositories/index.ts";
import type { UsersRepository } from "../repositories/users.repository.ts";
import type { Role } from "../schemas/permissions.ts";

export interface NewUser {
  email: string;
  name: string;
  password: string;
  role: Role;
}

export class UsersService {
  readonly #users: UsersRepository;
  readonly #write: WriteRecords;
  readonly #hasher: PasswordHasher;
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: {
    users: UsersRepository;
    write: WriteRecords;
    hasher: PasswordHasher;
    newId: NewId;
    clock: Clock;
  }) {
    this.#users = uses.users;
    this.#write = uses.write;
    this.#hasher = uses.hasher;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  async hasAny(): Promise<boolean> {
    return (await this.#users.count()) > 0;
  }

  /** @returns the new user's id; 409 when the e-mail is taken, 400 when the password is among the commonest */
  async create({ email, name, password, role }: NewUser): Promise<string> {
    refuseCommonPassword(password, "password");
    const passwordHash = await this.#hasher.hash(password);
    const id = this.#newId();
    const now = this.#clock.now();
    await this.#write(async ({ users }) => {
      const normalized = normalizeEmail(email);
      if (await users.findByEmail(normalized))
        throw conflict("email_taken", "There is a user with this e-mail.");
      const times = { createdAt: now, updatedAt: now };
      await users.insert({ id, email: normalized, name, role, passwordHash, isActive: 1, ...times });
    });
    return id;
  }
}

export function refuseCommonPassword(password: string, field: string): void {
  if (!isCommonPassword(password)) return;
  throw invalidInput([
    { in: "body", path: field, message: "is among the first to be tried", code: "common_password" },
  ]);
}
