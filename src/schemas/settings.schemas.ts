/** The installation's settings, and the refresh of its City database. */
import { z } from "zod";
import { success } from "./atoms.ts";

export const settingsResponse = z
  .object({
    geoipExists: z.boolean().describe("Whether a City database is installed."),
    geoipFileSize: z.int().describe("Size of the City database in bytes; 0 if there is none."),
    geoipPath: z
      .string()
      .describe("Path of the City database on the server, or its address in the file store."),
    nodeVersion: z.string().describe("Version of Node.js that runs the server."),
    environment: z.string().describe("Value of `NODE_ENV`."),
    appVersion: z.string().describe("Version of this service."),
    vendorKeyConfigured: z.boolean().describe("Whether the key of the geolocation provider is set."),
  })
  .meta({
    id: "Settings",
    description: "Versions, paths and the state of the City database.",
    example: {
      geoipExists: true,
      geoipFileSize: 63457280,
      geoipPath: "/data/GeoLite2-City.mmdb",
      nodeVersion: "v26.10.0",
      environment: "production",
      appVersion: "1.0.0",
      vendorKeyConfigured: true,
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
