/** Health. */
import { z } from "zod";
import { timestamp } from "./atoms.ts";

export const health = z
  .object({ status: z.literal("ok"), timestamp })
  .meta({ id: "Health", examples: [{ status: "ok", timestamp: "2026-03-01T12:00:00.000Z" }] });

export const unhealthy = z.object({ status: z.literal("unavailable"), timestamp });

export const docsAssetParams = z.object({ asset: z.string().max(100) });
