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
import { rule } from "./error-codes.ts";
import { FILE_TYPES } from "./file-types.ts";
import { PERMISSIONS, ROLES } from "./permissions.ts";

/** Neither trimmed nor normalised: a password is used as typed. */
const typedPassword = z.string().min(1).max(256);

/** Requirements for new passwords. One that is too long isn't checked any further. */
export const newPassword = z
  .string()
  .min(12, { abort: true })
  .max(256, { abort: true })
  .refine(
    (password) => !isCommonPassword(password),
    rule("common_password", "must not be a common password"),
  );

export const loginRequest = z
  .strictObject({
    email: email.describe("E-mail address of the account, not case-sensitive."),
    password: typedPassword.describe("Password of the account."),
  })
  .meta({
    id: "LoginRequest",
    description: "Credentials of a user.",
    example: { email: "anna@example.org", password: "correct horse battery" },
  });

export const passwordChangeRequest = z
  .strictObject({
    currentPassword: typedPassword.describe("Current password, for confirmation."),
    newPassword: newPassword.describe("New password: 12 to 256 characters, not a common password."),
    revokeApiKeys: optional(booleanField).describe("Set to `true` to also revoke all API keys of the user."),
  })
  .meta({
    id: "PasswordChangeRequest",
    description: "A new password for the logged-in user.",
    example: { currentPassword: "correct horse battery", newPassword: "a much longer pass phrase" },
  });

export type PasswordChangeRequest = z.output<typeof passwordChangeRequest>;

export const passwordResetRequest = z
  .strictObject({ email: email.describe("E-mail address of the account, not case-sensitive.") })
  .meta({
    id: "PasswordResetRequest",
    description: "The account whose password was forgotten.",
    example: { email: "anna@example.org" },
  });

export const passwordResetRequested = z
  .object({ success: z.literal(true).describe("Always true, whether there is such an account or not.") })
  .meta({
    id: "PasswordResetRequested",
    description: "Confirmation that the request was received.",
    example: { success: true },
  });

/** The limit is longer than any token that this service signs; longer ones are rejected unread. */
export const passwordResetParams = z.object({
  token: z.string().min(1).max(2000).describe("Token at the end of the link in the letter."),
});

export const passwordReset = z
  .object({
    email: emailOut.describe("E-mail address of the account."),
    name: text({ max: 200 }).describe("Display name of the user."),
    isInvitation: z.boolean().describe("Whether the account has had no password yet."),
    expiresAt: timestamp.describe("Until when the link can be used."),
  })
  .meta({
    id: "PasswordReset",
    description: "A link with which a user sets a password.",
    example: {
      email: "anna@example.org",
      name: "Anna",
      isInvitation: false,
      expiresAt: "2026-03-02T12:00:00.000Z",
    },
  });
export type PasswordReset = z.infer<typeof passwordReset>;

export const passwordSetting = z
  .strictObject({
    newPassword: newPassword.describe("New password: 12 to 256 characters, not a common password."),
  })
  .meta({
    id: "PasswordSetting",
    description: "The password that a user sets with a link.",
    example: { newPassword: "a much longer pass phrase" },
  });

export const role = z.enum(ROLES).meta({ id: "Role", description: "Roles of users.", example: "editor" });
const permission = z.enum(PERMISSIONS).meta({ id: "Permission", description: "What a role permits." });

export const sessionUser = z
  .object({
    id: uuid.describe("Identifier of the user."),
    email: emailOut.describe("E-mail address for the log-in."),
    name: text({ max: 200 }).describe("Display name."),
    role: role.describe("Role, which determines the permissions."),
    permissions: z.array(permission).describe("Permissions of the role."),
  })
  .meta({ id: "SessionUser", description: "The logged-in user." });

export type SessionUser = z.infer<typeof sessionUser>;

const sessionExample = {
  user: {
    id: "01a1fb60-1a34-772b-a309-dba157e20a81",
    email: "anna@example.org",
    name: "Anna",
    role: "viewer" as const,
    permissions: ["view_books" as const, "view_languages" as const, "view_channels" as const],
  },
  expiresAt: "2026-03-08T12:00:00.000Z",
};

export const sessionResponse = z
  .object({
    user: sessionUser,
    expiresAt: timestamp.describe("Time at which the session expires if it isn't used."),
  })
  .meta({
    id: "Session",
    description: "The logged-in user and the end of the session.",
    example: sessionExample,
  });

const serviceOffer = z.object({
  limits: z
    .object({
      maxUploadBytes: count.describe("Largest size of an uploaded file: `MAX_UPLOAD_BYTES`."),
      fileTypes: z.array(z.enum(FILE_TYPES)).describe("Types of files that books can have."),
    })
    .describe("What the service accepts."),
  publicSiteUrl: z
    .string()
    .nullable()
    .describe(
      "Where readers find the books: `PUBLIC_SITE_URL`, otherwise `PUBLIC_BASE_URL` if the library is shown there; null if neither is set.",
    ),
  features: z
    .object({
      mail: z.boolean().describe("Whether letters are sent: `SMTP_URL` is set."),
      webhooks: z.boolean().describe("Whether there can be webhooks: `PUBLIC_BASE_URL` is set."),
      emailConfirmation: z
        .boolean()
        .describe(
          "Whether readers of some language confirm their address: `EMAIL_CONFIRMATION`, or the language's own rule.",
        ),
      oidc: z
        .boolean()
        .describe("Whether people log in at a provider (OpenID Connect). Always false so far."),
      library: z.boolean().describe("Whether the service shows the library."),
    })
    .describe("What this installation has."),
  organisation: z
    .object({
      name: z
        .string()
        .describe("In the language of `Accept-Language`, as readers see it; empty if the library has none."),
      logoUrl: z
        .string()
        .nullable()
        .describe("Path of the logo on this server; null without one, or where no library is shown."),
    })
    .describe("Whose books these are: what the library shows, for everybody who prints a report."),
  version: z.string().describe("Version of this service."),
});
export type ServiceOffer = z.infer<typeof serviceOffer>;

export const currentSession = sessionResponse.and(serviceOffer).meta({
  id: "CurrentSession",
  description:
    "The logged-in user, the end of the session, and what a console needs to know about the service.",
  example: {
    ...sessionExample,
    limits: { maxUploadBytes: 1_073_741_824, fileTypes: [...FILE_TYPES] },
    publicSiteUrl: "https://www.example.org/books",
    features: { mail: true, webhooks: true, emailConfirmation: false, oidc: false, library: false },
    organisation: { name: "Books for Everyone", logoUrl: null },
    version: "1.0.0",
  },
});

export const revokedApiKeys = count.meta({
  description: "Number of revoked API keys.",
  example: 0,
});

export const passwordChangeResponse = success.extend({ revokedApiKeys });

export const sessionParams = z.object({ sessionId: recordId.describe("Identifier of the session.") });

const listedSession = z
  .object({
    id: uuid.describe("Identifier of the session."),
    createdAt: timestamp.describe("When the user logged in."),
    lastSeenAt: timestamp.describe("When the session was last used, to the minute."),
    expiresAt: timestamp.describe(
      "Time at which the session expires if it isn't used. Each use extends it, up to 30 days after the log-in.",
    ),
    ipAddress: z
      .string()
      .nullable()
      .describe("IP address of the log-in, in the form that `IP_STORAGE` keeps; null if it isn't stored."),
    browserName: z.string().describe("Name of the browser or app; empty when unknown."),
    osName: z.string().describe("Name of the operating system; empty when unknown."),
    isCurrent: z.boolean().describe("Whether the request was made with this session."),
  })
  .meta({
    id: "ListedSession",
    description: "A session of the logged-in user, without its token.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a8c",
      createdAt: "2026-03-01T12:00:00.000Z",
      lastSeenAt: "2026-03-02T08:15:00.000Z",
      expiresAt: "2026-03-08T12:00:00.000Z",
      ipAddress: "203.0.113.7",
      browserName: "Firefox",
      osName: "Linux",
      isCurrent: true,
    },
  });
export type ListedSession = z.infer<typeof listedSession>;

export const sessionList = z.object({
  sessions: z.array(listedSession).describe("Sessions of the user, most recently used first."),
});
