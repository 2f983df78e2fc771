/** The installation's settings, and the update of its City database. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { geoIpUpdate, settingsResponse } from "../schemas/settings.schemas.ts";

export const settingsRoutes = [
  defineRoute({
    id: "getSettings",
    method: "get",
    path: "/api/admin/settings",
    summary: "Get information about the installation",
    description:
      "Returns versions, paths and the state of the City database, for display. Settings are changed through environment variables.",
    access: session("manage_settings"),
    responses: { 200: json("The settings", settingsResponse) },
    handle: async (_, { settings }) => ok(await settings.get()),
  }),
  defineRoute({
    id: "updateGeoIp",
    method: "post",
    path: "/api/admin/settings/update-geoip",
    summary: "Download the latest City database",
    description:
      "Responds when the download is complete. Until then, and after any failure, the current database stays in use. Returns 400 `geoip_key_missing` if the provider's key isn't set, and 409 `geoip_update_running` if another update is running.",
    access: session("manage_settings"),
    responses: { 200: json("The database was updated or is already up to date", geoIpUpdate) },
    problems: [400, 409, 500, 502],
    handle: async (_, { settings }) => ok(await settings.updateGeoIp()),
  }),
];
