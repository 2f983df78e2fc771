/** The installation's settings, and the refresh of its City database. */
import { z } from "zod";

export const settingsAnswer = z
  .object({
    geoipExists: z.boolean(),
    /** Bytes; 0 when there is no file. */
    geoipFileSize: z.int(),
    geoipPath: z.string(),
    nodeVersion: z.string(),
    environment: z.string(),
    appVersion: z.string(),
    vendorKeyConfigured: z.boolean(),
  })
  .meta({
    id: "Settings",
    examples: [
      {
        geoipExists: true,
        geoipFileSize: 63457280,
        geoipPath: "/data/GeoLite2-City.mmdb",
        nodeVersion: "v26.10.0",
        environment: "production",
        appVersion: "0.1.0",
        vendorKeyConfigured: true,
      },
    ],
  });

export type Settings = z.infer<typeof settingsAnswer>;

export const geoIpUpdate = z
  .object({ success: z.literal(true), message: z.string(), fileSize: z.int() })
  .meta({
    id: "GeoIpUpdate",
    examples: [{ success: true, message: "The City database was updated.", fileSize: 63457280 }],
  });

export type GeoIpUpdate = z.infer<typeof geoIpUpdate>;
