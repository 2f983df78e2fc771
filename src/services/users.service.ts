/** Administrators' accounts. The first is made from the configuration or the command line. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { PasswordHasher } from "../adapters/password-hasher.ts";
import { conflict, invalidInput } from "../errors.ts";
import { isCommonPassword } from "../lib/common-passwords.ts";
import { normalizeEmail } from "../lib/email.ts";
import type { Author, Change } from "../repositories/change.ts";
import type { ChangeRecords } from "../repositories/index.ts";
import type { UserRow, UsersRepository } from "../repositories/users.repository.ts";
import type { Role } from "../schemas/permissions.ts";

export interface NewUser {
  email: string;
  name: string;
  password: string;
  role: Role;
}

export class UsersService {
  readonly #users: UsersRepository;
  readonly #change: ChangeRecords;
  readonly #hasher: PasswordHasher;
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: {
    users: UsersRepository;
    change: ChangeRecords;
    hasher: PasswordHasher;
    newId: NewId;
    clock: Clock;
  }) {
    this.#users = uses.users;
    this.#change = uses.change;
    this.#hasher = uses.hasher;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  async hasAny(): Promise<boolean> {
    return (await this.#users.count()) > 0;
  }

  /** @returns the new user's id; 409 when the e-mail is taken, 400 when the password is among the commonest */
  async create(by: Author, { email, name, password, role }: NewUser): Promise<string> {
    refuseCommonPassword(password, "password");
    const passwordHash = await this.#hasher.hash(password);
    const id = this.#newId();
    const now = this.#clock.now();
    await this.#change(by, async ({ users }) => {
      const normalized = normalizeEmail(email);
      if (await users.findByEmail(normalized))
        throw conflict("email_taken", "There is a user with this e-mail.");
      const times = { createdAt: now, updatedAt: now };
      const row = { id, email: normalized, name, role, passwordHash, isActive: 1, ...times } as const;
      await users.insert(row);
      return { answer: undefined, change: { action: "create", object: userObject(row), after: row } };
    });
    return id;
  }
}

/** The log names accounts by their role: names and addresses are personal. */
const userObject = ({ id, role }: Pick<UserRow, "id" | "role">) =>
  ({ kind: "user", id, name: role }) as const;

export const userUpdate = (before: UserRow, after: UserRow): Change => ({
  action: "update",
  object: userObject(after),
  before,
  after,
});

export function refuseCommonPassword(password: string, field: string): void {
  if (!isCommonPassword(password)) return;
  throw invalidInput([
    { in: "body", path: field, message: "is among the first to be tried", code: "common_password" },
  ]);
}
