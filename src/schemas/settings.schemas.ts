/** The installation's settings, and the refresh of its City database. */
import { z } from "zod";
import { success, timestamp } from "./atoms.ts";

export const settingsResponse = z
  .object({
    geoipExists: z.boolean().describe("Whether a City database is installed."),
    geoipFileSize: z.int().describe("Size of the City database in bytes; 0 if there is none."),
    geoipPath: z
      .string()
      .describe("Path of the City database on the server, or its address in the file store."),
    geoipBuiltAt: timestamp
      .nullable()
      .describe("When the provider made the City database in use; null without one."),
    nodeVersion: z.string().describe("Version of Node.js that runs the server."),
    environment: z.string().describe("Value of `NODE_ENV`."),
    appVersion: z.string().describe("Version of this service."),
    vendorKeyConfigured: z.boolean().describe("Whether the key of the geolocation provider is set."),
    lastBackupAt: timestamp
      .nullable()
      .describe(
        "When `bookdist backup` last completed a verified backup on this machine; null if it is unknown, for example because other programs make the backups.",
      ),
  })
  .meta({
    id: "Settings",
    description: "Versions, paths and the state of the City database.",
    example: {
      geoipExists: true,
      geoipFileSize: 63457280,
      geoipPath: "/data/GeoLite2-City.mmdb",
      geoipBuiltAt: "2026-02-27T04:12:00.000Z",
      nodeVersion: "v26.10.0",
      environment: "production",
      appVersion: "1.0.0",
      vendorKeyConfigured: true,
      lastBackupAt: "2026-03-01T02:00:04.000Z",
    },
  });

export type Settings = z.infer<typeof settingsResponse>;

export const geoIpUpdate = success
  .extend({
    message: z.string().describe("Human-readable result."),
    fileSize: z.int().describe("Size of the City database in bytes."),
  })
  .meta({
    id: "GeoIpUpdate",
    description: "Result of an update of the City database.",
    example: { success: true, message: "The City database was updated.", fileSize: 63457280 },
  });

export type GeoIpUpdate = z.infer<typeof geoIpUpdate>;
