/** Health, and the description of the interface. */
import { z } from "zod";
import { timestamp } from "./atoms.ts";

export const health = z
  .object({ status: z.literal("ok"), timestamp })
  .meta({ id: "Health", examples: [{ status: "ok", timestamp: "2026-03-01T12:00:00.000Z" }] });

export const unhealthy = z
  .object({ status: z.literal("unavailable"), timestamp })
  .meta({ examples: [{ status: "unavailable", timestamp: "2026-03-01T12:00:00.000Z" }] });

export const readiness = z
  .object({ status: z.literal("ready"), timestamp })
  .meta({ id: "Readiness", examples: [{ status: "ready", timestamp: "2026-03-01T12:00:00.000Z" }] });

export const openApi = z
  .looseObject({ openapi: z.string() })
  .meta({ id: "OpenApi", examples: [{ openapi: "3.1.1", info: { title: "Book Distribution Service" } }] });

export const docsAssetParams = z.object({ asset: z.string().max(100) });
