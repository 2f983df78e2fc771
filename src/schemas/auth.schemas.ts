/** Log-in, session and password. */
import { z } from "zod";
import { isCommonPassword } from "../lib/common-passwords.ts";
import { email, success, text, timestamp } from "./atoms.ts";
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
  .strictObject({ email, password: typedPassword })
  .meta({ id: "LoginRequest", examples: [{ email: "anna@example.org", password: "correct horse battery" }] });

export const passwordChangeRequest = z.strictObject({ currentPassword: typedPassword, newPassword }).meta({
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

export const passwordChangeAnswer = success;
