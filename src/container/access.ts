/** Who may come in. */
import { PasswordHasher } from "../adapters/password-hasher.ts";
import { Tokens } from "../adapters/tokens.ts";
import { UserAgents } from "../adapters/user-agents.ts";
import { ApiKeysService } from "../services/api-keys.service.ts";
import { AuthService } from "../services/auth.service.ts";
import { FailedLogins } from "../services/failed-logins.ts";
import { KnownDevices } from "../services/known-devices.ts";
import { SideWrites } from "../services/side-writes.ts";
import { UsersService } from "../services/users.service.ts";
import type { Uses } from "./uses.ts";

export function joinAccess(uses: Uses) {
  const { config, reads, secret, clock, newId, log, writeRecords, changeRecords } = uses;
  const { users, sessions, apiKeys } = reads;
  const { sessionTtlMs, ipStorage: addressStorage } = config;
  const hasher = new PasswordHasher();
  const tokens = new Tokens({ secret, purpose: "session", clock });
  const deviceTokens = new Tokens({ secret, purpose: "known-device", clock });
  const devices = new KnownDevices({ users, tokens: deviceTokens });
  const sideWrites = new SideWrites({ log });
  const records = { write: writeRecords, change: changeRecords, newId, clock };
  return {
    apiKeys: new ApiKeysService({ apiKeys, sideWrites, ...records }),
    auth: new AuthService({
      users,
      sessions,
      hasher,
      tokens,
      devices,
      sessionTtlMs,
      addressStorage,
      userAgents: new UserAgents(),
      sideWrites,
      isClockTrusted: () => uses.clockTrust.isTrusted(),
      failedLogins: new FailedLogins({ ...records, log, addressStorage }),
      ...records,
    }),
    users: new UsersService({ users, hasher, ...records }),
  };
}
