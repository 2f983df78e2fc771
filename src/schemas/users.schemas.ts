/** Administrators' accounts. */
import { z } from "zod";
import {
  booleanField,
  email,
  flag,
  flagField,
  isUnlessAbout,
  recordId,
  success,
  text,
  timestamp,
} from "./atoms.ts";
import { newPassword, revokedApiKeys, role, sessionUser } from "./auth.schemas.ts";
import { rule } from "./error-codes.ts";
import { creationOf, kept, required, updateOf } from "./fields.ts";

const userFields = {
  email: required(email, "E-mail address for the log-in; unique."),
  name: required(text({ min: 1, max: 200 }), "Display name."),
  password: required(newPassword, "Password of 12 to 256 characters, not a common password."),
  role: required(role, "Role, which determines the permissions."),
  isActive: kept(flagField, "1 if the user can log in, 0 if the account is deactivated."),
};

const INVITATION = "a letter with a link that sets a password, once and within 24 hours";

interface PasswordOrInvitation {
  password?: string | undefined;
  invite?: boolean | undefined;
}

/** For `superRefine`; checked also when other fields are wrong, so that all errors are reported together. */
const isNotBoth = ({ password, invite }: PasswordOrInvitation) => password === undefined || invite !== true;
const notBoth = {
  ...rule("exactly_one_needed", "is in place of a password"),
  path: ["invite"],
  when: isUnlessAbout("password", "invite"),
};

export const userCreation = creationOf({
  ...userFields,
  password: kept(
    newPassword,
    "Password of 12 to 256 characters, not a common password.",
    "Required without `invite`.",
  ),
  invite: kept(
    booleanField,
    `\`true\`, in place of a password, sends ${INVITATION}. Needs letters (\`SMTP_URL\`).`,
  ),
})
  .refine(({ password, invite }) => password !== undefined || invite === true, {
    ...rule("invalid_type", "is required"),
    path: ["password"],
    when: isUnlessAbout("password", "invite"),
  })
  .refine(isNotBoth, notBoth)
  .meta({
    id: "UserCreation",
    description: "An account to create.",
    example: { email: "ben@example.org", name: "Ben", password: "a much longer pass phrase", role: "editor" },
  });

export const userUpdate = updateOf({
  ...userFields,
  password: required(
    newPassword,
    "New password of 12 to 256 characters, not a common password. Ends all sessions of the user.",
  ),
  revokeApiKeys: required(
    booleanField,
    "Whether to revoke all API keys of the user. By default, a new password revokes all keys except those that can only submit download forms (`submit_downloads`).",
  ),
  invite: required(
    booleanField,
    `\`true\` sends ${INVITATION}, to a user who was invited and has none yet. Earlier links end.`,
  ),
})
  .refine(isNotBoth, notBoth)
  .meta({
    id: "UserUpdate",
    description: "Fields of a user to change; omitted fields keep their values.",
    example: { role: "analyst", isActive: 1 },
  });

export type UserCreation = z.output<typeof userCreation>;
export type UserUpdate = z.output<typeof userUpdate>;

export const userParams = z.object({ userId: recordId.describe("Identifier of the user.") });

export const user = sessionUser
  .extend({
    isActive: flag.describe("1 if the user can log in, 0 if the account is deactivated."),
    isInvited: z.boolean().describe("Whether the user was invited and hasn't set a password yet."),
    createdAt: timestamp.describe("When the account was created."),
    updatedAt: timestamp.describe("When the account was last changed."),
  })
  .meta({
    id: "User",
    description: "An account for administration.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a82",
      email: "ben@example.org",
      name: "Ben",
      role: "viewer",
      permissions: ["view_books", "view_languages", "view_channels"],
      isActive: 1,
      isInvited: false,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    },
  });
export type User = z.infer<typeof user>;

export const userList = z.object({
  users: z.array(user).describe("Active and inactive users, ordered by `name`."),
});
export const userUpdated = success.extend({ user, revokedApiKeys });
