/** API keys of external clients. */
import { z } from "zod";
import { identifier, instant, optional, text, timestamp } from "./atoms.ts";
import { API_KEY_SCOPES } from "./permissions.ts";

const scopes = z.array(z.enum(API_KEY_SCOPES)).min(1).max(API_KEY_SCOPES.length);

export const apiKeyCreation = z
  .strictObject({
    name: text({ min: 1, max: 200 }),
    expiresAt: optional(instant),
    scopes: optional(scopes).meta({
      description:
        "What the key may do: read the catalogue, change it, or send in the forms of readers. Default: `view_books` and `edit_books`.",
    }),
  })
  .meta({
    id: "ApiKeyCreation",
    examples: [{ name: "Catalogue sync", expiresAt: "2027-01-01T00:00:00.000Z", scopes: ["view_books"] }],
  });
export type ApiKeyCreation = z.output<typeof apiKeyCreation>;

export const apiKeyParams = z.object({ keyId: identifier });

const example = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a84",
  name: "Catalogue sync",
  keyPrefix: "bds_4fTq9zXk",
  expiresAt: "2027-01-01T00:00:00.000Z",
  createdAt: "2026-03-01T12:00:00.000Z",
  scopes: ["view_books" as const],
};

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    keyPrefix: z.string(),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
    scopes: z.array(z.enum(API_KEY_SCOPES)),
    lastUsedAt: timestamp.nullable(),
    createdBy: z.string(),
  })
  .meta({ id: "ApiKey", examples: [{ ...example, lastUsedAt: null, createdBy: "anna@example.org" }] });

export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreated = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string(),
    keyPrefix: z.string(),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
    scopes: z.array(z.enum(API_KEY_SCOPES)),
  })
  .meta({
    id: "ApiKeyCreated",
    examples: [{ ...example, key: "bds_4fTq9zXkB7nLw2RsV8cYdHjM3gPaE6uK1tZx5QiN0oCm4WbG" }],
  });

export const apiKeyList = z.object({ apiKeys: z.array(apiKey) });
