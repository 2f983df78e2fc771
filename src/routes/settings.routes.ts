/** The installation's settings, and the refresh of its City database. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { geoIpUpdate, settingsAnswer } from "../schemas/settings.schemas.ts";

const tag = "Settings";

export const settingsRoutes: readonly Route[] = [
  defineRoute({
    id: "getSettings",
    method: "get",
    path: "/api/admin/settings",
    tag,
    summary: "Get the installation's settings",
    description:
      "Returns facts about the installation, for display. Settings are changed through environment variables.",
    access: session("manage_settings"),
    answers: { 200: json("The settings", settingsAnswer) },
    handle: async (_, { settings }) => ok(await settings.get()),
  }),
  defineRoute({
    id: "updateGeoIp",
    method: "post",
    path: "/api/admin/settings/update-geoip",
    tag,
    summary: "Download the latest City database",
    description:
      "Takes as long as the download does. 400 `geoip_key_missing` without the provider's key; 409 `geoip_update_running` while another update runs; 502 when the provider refuses, takes too long or sends something else; 500 when the database can't be stored. What was there then stays in use.",
    access: session("manage_settings"),
    answers: { 200: json("It is here, or there is none newer than what was here", geoIpUpdate) },
    problems: [400, 409, 500, 502],
    handle: async (_, { settings }) => ok(await settings.updateGeoIp()),
  }),
];
