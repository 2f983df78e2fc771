/** Log-in, session and password. */
import { z } from "zod";
import { isCommonPassword } from "../lib/common-passwords.ts";
import {
  booleanField,
  count,
  email,
  emailOut,
  optional,
  recordId,
  success,
  text,
  timestamp,
  uuid,
} from "./atoms.ts";
import { withCode } from "./error-codes.ts";
import { PERMISSIONS, ROLES } from "./permissions.ts";

/** Not trimmed or normalised: a password is what was typed. */
const typedPassword = z.string().min(1).max(256);

/** What may become a password. One that is too long isn't looked at any further. */
export const newPassword = z
  .string()
  .min(12, { abort: true })
  .max(256, { abort: true })
  .refine((password) => !isCommonPassword(password), {
    error: "is among the commonest passwords",
    params: withCode("common_password"),
  });

export const loginRequest = z
  .strictObject({
    email: email.describe("E-mail address of the account, in any case."),
    password: typedPassword.describe("Password of the account."),
  })
  .meta({
    id: "LoginRequest",
    description: "Credentials of a user.",
    examples: [{ email: "anna@example.org", password: "correct horse battery" }],
  });

export const passwordChangeRequest = z
  .strictObject({
    currentPassword: typedPassword.describe("Present password, as proof that it is you."),
    newPassword: newPassword.describe(
      "Password from now on: 12 to 256 characters, not one of the most common ones.",
    ),
    revokeApiKeys: optional(booleanField).meta({
      description: "Whether to revoke all API keys of the user, too. The default is false.",
    }),
  })
  .meta({
    id: "PasswordChangeRequest",
    description: "A new password for the logged-in user.",
    examples: [{ currentPassword: "correct horse battery", newPassword: "a much longer pass phrase" }],
  });

export const sessionUser = z
  .object({
    id: uuid.describe("Identifier of the user."),
    email: emailOut.describe("E-mail address, with which the user logs in."),
    name: text({ max: 200 }).describe("Name that others see."),
    role: z.enum(ROLES).describe("Role, which determines the permissions."),
    permissions: z.array(z.enum(PERMISSIONS)).describe("Permissions of the role."),
  })
  .meta({ id: "SessionUser", description: "The logged-in user." });

export type SessionUser = z.infer<typeof sessionUser>;

export const sessionResponse = z
  .object({
    user: sessionUser,
    expiresAt: timestamp.describe("When the session ends unless it is used before."),
  })
  .meta({
    id: "Session",
    description: "The logged-in user, and how long the session lasts.",
    examples: [
      {
        user: {
          id: "01a1fb60-1a34-772b-a309-dba157e20a81",
          email: "anna@example.org",
          name: "Anna",
          role: "viewer",
          permissions: ["view_books", "view_languages", "view_channels"],
        },
        expiresAt: "2026-03-08T12:00:00.000Z",
      },
    ],
  });

export const revokedApiKeys = count.meta({
  description: "Number of API keys that were revoked with the change.",
  examples: [0],
});

export const passwordChangeResponse = success.extend({ revokedApiKeys });

export const sessionParams = z.object({ sessionId: recordId.describe("Identifier of the session.") });

const listedSession = z
  .object({
    id: uuid.describe("Identifier of the session."),
    createdAt: timestamp.meta({ description: "When the user logged in." }),
    lastSeenAt: timestamp.meta({ description: "When the session was last used, to the minute." }),
    expiresAt: timestamp.meta({
      description:
        "When the session ends unless it is used before. Use extends it, up to 30 days from the log-in.",
    }),
    ipAddress: z.string().nullable().meta({
      description: "IP address of the log-in, as far as `IP_STORAGE` keeps it; null when it isn't kept.",
    }),
    browserName: z.string().meta({ description: "Name of the browser or app; empty when unknown." }),
    osName: z.string().meta({ description: "Name of the operating system; empty when unknown." }),
    isCurrent: z.boolean().meta({ description: "Whether this is the session of the request." }),
  })
  .meta({
    id: "ListedSession",
    description: "A session of the logged-in user, without its token.",
    examples: [
      {
        id: "01a1fb60-1a34-772b-a309-dba157e20a8c",
        createdAt: "2026-03-01T12:00:00.000Z",
        lastSeenAt: "2026-03-02T08:15:00.000Z",
        expiresAt: "2026-03-08T12:00:00.000Z",
        ipAddress: "203.0.113.7",
        browserName: "Firefox",
        osName: "Linux",
        isCurrent: true,
      },
    ],
  });
export type ListedSession = z.infer<typeof listedSession>;

export const sessionList = z.object({
  sessions: z.array(listedSession).describe("Sessions of the user, the last used first."),
});
