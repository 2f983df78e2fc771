// Who sends requests: accounts of every role with their sessions, API keys, and credentials that were never good.
import { z } from "zod";
import { apiKeyChecksum } from "../../../src/services/users/api-keys.service.ts";
import { type Draft, encodeRequest, type Headers, type Sender } from "../requests/request.ts";
import { PASS_PHRASE } from "../requests/texts.ts";
import type { Account, Catalogue } from "./catalogue.ts";
import type { Keeper } from "./keeper.ts";
import type { Connection, Response } from "./send.ts";

export const ADMIN = { email: "admin@example.org", password: `${PASS_PHRASE}: administration` };

const ROLES = ["editor", "analyst", "viewer"] as const;
const SCOPES = {
  "reading key": ["view_books"],
  "writing key": ["edit_books"],
  "full key": ["view_books", "edit_books", "submit_downloads"],
} as const;

const UNKNOWN = "x".repeat(40);
const NEVER_GOOD = {
  "junk cookie": cookie("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."),
  "junk key": bearer(`bds_${UNKNOWN}${apiKeyChecksum(UNKNOWN)}`),
};

export class Senders {
  readonly #connection: Pick<Connection, "send">;
  readonly #credentials = new Map<Sender, Headers>(
    Object.entries(NEVER_GOOD).map(([name, headers]) => [findSender(name), headers]),
  );
  /** Sessions that aren't needed any more: requests may end them. */
  readonly #guests: Headers[] = [];

  constructor(connection: Pick<Connection, "send">) {
    this.#connection = connection;
  }

  of(sender: Sender): Headers {
    if (sender === "guest") return this.#guests.at(-1) ?? [];
    return this.#credentials.get(sender) ?? [];
  }

  async logIn(sender: Sender, account: Pick<Account, "email" | "password">): Promise<void> {
    const { email, password } = account;
    const response = await this.#connection.send(
      encodeRequest(
        {
          method: "POST",
          path: "/api/auth/login",
          params: {},
          query: {},
          sender: "anonymous",
          headers: [],
          body: { kind: "json", value: { email, password } },
        },
        [],
      ),
    );
    const session = findSession(response);
    if (!session) throw new Error(`${sender} can't log in: ${response.status} ${response.body}`);
    this.#credentials.set(sender, session);
  }

  /** One account a role, one whose password changes, and keys of each kind. */
  async prepare(keeper: Keeper, catalogue: Catalogue): Promise<void> {
    for (const account of [...catalogue.members, catalogue.changer]) {
      const role = ROLES.find((each) => account.email.startsWith(each)) ?? "viewer";
      const { email, password } = account;
      account.id = (await keeper.read(made, "/api/admin/users", { email, password, name: role, role })).id;
      await this.logIn(account === catalogue.changer ? "changer" : role, account);
    }
    const ids: string[] = [];
    for (const [name, scopes] of Object.entries(SCOPES)) {
      const { id, key } = await keeper.read(madeKey, "/api/admin/api-keys", { name, scopes });
      this.#credentials.set(findSender(name), bearer(key));
      ids.push(id);
    }
    keeper.ownKeys = ids;
  }

  /** Looks at what an accepted request has changed in sessions and passwords. */
  learn(operation: string, draft: Draft, response: Response, { changer }: Catalogue): void {
    if (response.status >= 300) return;
    const session = findSession(response);
    if (operation === "login" && session) this.#guests.push(session);
    if (operation === "logout") this.#guests.pop();
    if (operation === "changePassword" && draft.sender === "changer" && draft.body.kind === "json")
      changer.password = newPassword.parse(draft.body.value).newPassword;
  }
}

export const createAccounts = () => ({
  admin: { id: "", ...ADMIN },
  members: ROLES.map((role) => createAccount(role)),
  changer: createAccount("changer"),
});

const createAccount = (name: string): Account => ({
  id: "",
  email: `${name}@example.org`,
  password: `${PASS_PHRASE}: ${name}`,
});

const made = z.object({ id: z.string() });
const madeKey = made.extend({ key: z.string() });
const newPassword = z.object({ newPassword: z.string() });

const NAMES: readonly Sender[] = ["reading key", "writing key", "full key", "junk cookie", "junk key"];

function findSender(name: string): Sender {
  const known = NAMES.find((each) => each === name);
  if (known === undefined) throw new Error(`There is no sender ${name}`);
  return known;
}

function cookie(token: string): Headers {
  return [["Cookie", `auth.session-token=${token}`]];
}

function bearer(key: string): Headers {
  return [["Authorization", `Bearer ${key}`]];
}

function findSession({ status, headers }: Response): Headers | undefined {
  const [set] = headers["set-cookie"] ?? [];
  const pair = set?.split(";")[0];
  return status === 200 && pair !== undefined ? [["Cookie", pair]] : undefined;
}
