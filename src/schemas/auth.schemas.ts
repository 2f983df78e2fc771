/** Log-in, session and password. */
import { z } from "zod";
import { isCommonPassword } from "../lib/common-passwords.ts";
import { booleanField, count, email, identifier, optional, success, text, timestamp } from "./atoms.ts";
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
    params: { code: "common_password" },
  });

export const loginRequest = z
  .strictObject({ email, password: typedPassword })
  .meta({ id: "LoginRequest", examples: [{ email: "anna@example.org", password: "correct horse battery" }] });

export const passwordChangeRequest = z
  .strictObject({
    currentPassword: typedPassword,
    newPassword,
    revokeApiKeys: optional(booleanField).meta({
      description: "Whether all of one's API keys are revoked, too. Default: no.",
    }),
  })
  .meta({
    id: "PasswordChangeRequest",
    examples: [{ currentPassword: "correct horse battery", newPassword: "a much longer pass phrase" }],
  });

export const sessionUser = z
  .object({
    id: z.string(),
    email: z.string(),
    name: text({ max: 200 }),
    role: z.enum(ROLES),
    permissions: z.array(z.enum(PERMISSIONS)),
  })
  .meta({ id: "SessionUser" });

export type SessionUser = z.infer<typeof sessionUser>;

export const sessionAnswer = z.object({ user: sessionUser, expiresAt: timestamp }).meta({
  id: "Session",
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
  description: "How many API keys were revoked.",
  examples: [2],
});

export const passwordChangeAnswer = success.extend({ revokedApiKeys });

export const sessionParams = z.object({ sessionId: identifier });

const listedSession = z
  .object({
    id: z.string(),
    createdAt: timestamp.meta({ description: "When this log-in was." }),
    lastSeenAt: timestamp.meta({ description: "When it was last used, to the minute." }),
    expiresAt: timestamp.meta({
      description: "When it ends if it isn't used any more. Use prolongs it, up to 30 days from the log-in.",
    }),
    ipAddress: z
      .string()
      .nullable()
      .meta({ description: "From where the log-in came, as far as `IP_STORAGE` keeps it." }),
    browserName: z.string().meta({ description: "Empty when it isn't known." }),
    osName: z.string().meta({ description: "The operating system; empty when it isn't known." }),
    isCurrent: z.boolean().meta({ description: "Whether it is the session of this very request." }),
  })
  .meta({
    id: "ListedSession",
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

export const sessionList = z.object({ sessions: z.array(listedSession) });
