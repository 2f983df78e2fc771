/** Administrators' accounts. */
import { z } from "zod";
import {
  booleanField,
  email,
  flag,
  flagField,
  optional,
  recordId,
  success,
  text,
  timestamp,
} from "./atoms.ts";
import { newPassword, revokedApiKeys, role, sessionUser } from "./auth.schemas.ts";

export const userCreation = z
  .strictObject({
    email: email.describe("E-mail address for the log-in; unique."),
    name: text({ min: 1, max: 200 }).describe("Display name."),
    password: newPassword.describe("Password of 12 to 256 characters, not a common password."),
    role: role.describe("Role, which determines the permissions."),
    isActive: optional(flagField).describe("1 if the user can log in, 0 if the account is deactivated."),
  })
  .meta({
    id: "UserCreation",
    description: "An account to create.",
    example: { email: "ben@example.org", name: "Ben", password: "a much longer pass phrase", role: "editor" },
  });

export const userUpdate = userCreation
  .extend({
    email: optional(email).describe("E-mail address for the log-in; unique."),
    name: optional(userCreation.shape.name).describe("Display name."),
    password: optional(newPassword).describe(
      "New password of 12 to 256 characters, not a common password. Ends all sessions of the user.",
    ),
    role: optional(userCreation.shape.role).describe("Role, which determines the permissions."),
    revokeApiKeys: optional(booleanField).describe(
      "Whether to revoke all API keys of the user. By default, a new password revokes all keys except those that can only submit download forms (`submit_downloads`).",
    ),
  })
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
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    },
  });
export type User = z.infer<typeof user>;

export const userList = z.object({
  users: z.array(user).describe("Active and inactive users, ordered by `name`."),
});
export const userUpdated = success.extend({ user, revokedApiKeys });
