/** Health, and the description of the interface. */
import { z } from "zod";
import { timestamp } from "./atoms.ts";

export const health = z
  .object({
    status: z.literal("ok").describe("Always `ok`."),
    timestamp: timestamp.describe("Time of the server."),
  })
  .meta({
    id: "Health",
    description: "The service works.",
    examples: [{ status: "ok", timestamp: "2026-03-01T12:00:00.000Z" }],
  });

export const unhealthy = z
  .object({
    status: z.literal("unavailable").describe("Always `unavailable`."),
    timestamp: timestamp.describe("Time of the server."),
  })
  .meta({ examples: [{ status: "unavailable", timestamp: "2026-03-01T12:00:00.000Z" }] });

export const readiness = z
  .object({
    status: z.literal("ready").describe("Always `ready`."),
    timestamp: timestamp.describe("Time of the server."),
  })
  .meta({
    id: "Readiness",
    description: "The service accepts requests.",
    examples: [{ status: "ready", timestamp: "2026-03-01T12:00:00.000Z" }],
  });

export const openApi = z
  .looseObject({ openapi: z.string().describe("Version of the OpenAPI Specification.") })
  .meta({
    id: "OpenApi",
    description: "An OpenAPI document.",
    examples: [{ openapi: "3.1.1", info: { title: "Book Distribution Service" } }],
  });

export const docsAssetParams = z.object({
  asset: z.string().max(100).describe("Name of the script or stylesheet."),
});
