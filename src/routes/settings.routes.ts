/** The installation's settings, and the refresh of its City database. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { geoIpUpdate, settingsResponse } from "../schemas/settings.schemas.ts";

const tag = "Settings";

export const settingsRoutes: readonly Route[] = [
  defineRoute({
    id: "getSettings",
    method: "get",
    path: "/api/admin/settings",
    tag,
    summary: "Get facts about the installation",
    description:
      "Returns facts about the installation, for display. Settings are changed through environment variables.",
    access: session("manage_settings"),
    responses: { 200: json("The settings", settingsResponse) },
    handle: async (_, { settings }) => ok(await settings.get()),
  }),
  defineRoute({
    id: "updateGeoIp",
    method: "post",
    path: "/api/admin/settings/update-geoip",
    tag,
    summary: "Download the latest City database",
    description:
      "Returns when the download is complete. Until then, and after any failure, the present database stays in use. Without the provider's key the response is 400 `geoip_key_missing`; while another update runs, 409 `geoip_update_running`.",
    access: session("manage_settings"),
    responses: { 200: json("The database was updated, or is up to date", geoIpUpdate) },
    problems: [400, 409, 500, 502],
    handle: async (_, { settings }) => ok(await settings.updateGeoIp()),
  }),
];
