/** Administrators' accounts. */
import { z } from "zod";
import {
  booleanField,
  email,
  flag,
  flagField,
  identifier,
  optional,
  success,
  text,
  timestamp,
} from "./atoms.ts";
import { newPassword, revokedApiKeys, sessionUser } from "./auth.schemas.ts";
import { ROLES } from "./permissions.ts";

export const userCreation = z
  .strictObject({
    email,
    name: text({ min: 1, max: 200 }),
    password: newPassword,
    role: z.enum(ROLES),
    isActive: optional(flagField),
  })
  .meta({
    id: "UserCreation",
    examples: [
      { email: "ben@example.org", name: "Ben", password: "a much longer pass phrase", role: "editor" },
    ],
  });

export const userUpdate = userCreation
  .extend({
    email: optional(email),
    name: optional(userCreation.shape.name),
    password: optional(newPassword),
    role: optional(userCreation.shape.role),
    revokeApiKeys: optional(booleanField).meta({
      description:
        "Whether the user's API keys are revoked. Default: with a new password, those that do more than send in forms (`submit_downloads`); otherwise none.",
    }),
  })
  .meta({ id: "UserUpdate", examples: [{ role: "analyst", isActive: 1 }] });

export type UserCreation = z.output<typeof userCreation>;
export type UserUpdate = z.output<typeof userUpdate>;

export const userParams = z.object({ userId: identifier });

export const user = sessionUser.extend({ isActive: flag, createdAt: timestamp, updatedAt: timestamp }).meta({
  id: "User",
  examples: [
    {
      id: "01a1fb60-1a34-772b-a309-dba157e20a82",
      email: "ben@example.org",
      name: "Ben",
      role: "viewer",
      permissions: ["view_books", "view_languages", "view_channels"],
      isActive: 1,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    },
  ],
});
export type User = z.infer<typeof user>;

export const userList = z.object({ users: z.array(user) });
export const userUpdated = success.extend({ user, revokedApiKeys });
