/** Creates the services for authentication and users. */
import { Tokens } from "../../adapters/tokens.ts";
import type { ChangeRecords, WriteRecords } from "../../repositories/index.ts";
import type { ClockTrust } from "../doctor/clock-trust.ts";
import type { RecordDeps } from "../shared/service.ts";
import { ApiKeysService } from "./api-keys.service.ts";
import { AuthService, SideWrites } from "./auth.service.ts";
import { FailedLogins, KnownDevices } from "./failed-logins.ts";
import { PasswordLinksService } from "./password-links.service.ts";
import { UsersService } from "./users.service.ts";

interface AccessDeps extends Pick<RecordDeps, "config" | "reads" | "clock" | "hasher" | "newId" | "log"> {
  secret: string;
  clockTrust: ClockTrust;
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
}

export function createAccessServices(deps: AccessDeps) {
  const { config, reads, secret, clock, hasher, newId, log, writeRecords, changeRecords } = deps;
  const { users, sessions, apiKeys, passwordLinks } = reads;
  const { sessionTtlMs, ipStorage: addressStorage } = config;
  const tokens = new Tokens({ secret, purpose: "session", clock });
  const deviceTokens = new Tokens({ secret, purpose: "known-device", clock });
  const devices = new KnownDevices({ users, tokens: deviceTokens });
  const sideWrites = new SideWrites({ log });
  const records = { write: writeRecords, change: changeRecords, newId, clock };
  const links = new PasswordLinksService({
    passwordLinks,
    hasher,
    tokens: new Tokens({ secret, purpose: "password-link", clock }),
    isMailOn: config.mail !== undefined && config.console.isOn,
    ...records,
  });
  return {
    passwordLinks: links,
    apiKeys: new ApiKeysService({ apiKeys, sideWrites, ...records }),
    auth: new AuthService({
      users,
      sessions,
      hasher,
      tokens,
      devices,
      sessionTtlMs,
      addressStorage,
      sideWrites,
      isClockTrusted: () => deps.clockTrust.isTrusted(),
      failedLogins: new FailedLogins({ ...records, log, addressStorage }),
      ...records,
    }),
    users: new UsersService({ users, hasher, links, ...records }),
  };
}
