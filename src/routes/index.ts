/** The route table of the API. */
import type { Route, Tag, UntaggedRoute } from "../http/route.ts";
import { analyticsRoutes } from "./analytics.routes.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { auditRoutes } from "./audit.routes.ts";
import { authRoutes } from "./auth.routes.ts";
import { booksRoutes } from "./books.routes.ts";
import { channelsRoutes } from "./channels.routes.ts";
import { contactsRoutes } from "./contacts.routes.ts";
import { coversRoutes } from "./covers.routes.ts";
import { doctorRoutes } from "./doctor.routes.ts";
import { filesRoutes } from "./files.routes.ts";
import { languagesRoutes } from "./languages.routes.ts";
import { publicRoutes } from "./public.routes.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { systemRoutes } from "./system.routes.ts";
import { translationsRoutes } from "./translations.routes.ts";
import { usersRoutes } from "./users.routes.ts";

const tagged = (tag: Tag, routes: readonly UntaggedRoute[]): Route[] =>
  routes.flatMap(addPatch).map((route) => ({ ...route, tag }));

function addPatch(route: UntaggedRoute): UntaggedRoute[] {
  const { patchId: id, ...put } = route;
  if (id === undefined) return [route];
  const description = `${put.description} The same as \`PUT\` on this path.`;
  return [route, { ...put, id, method: "patch", description }];
}

export const routes: readonly Route[] = [
  ...tagged("Public", publicRoutes),
  ...tagged("System", [...systemRoutes, ...doctorRoutes]),
  ...tagged("Authentication", authRoutes),
  ...tagged("Books", booksRoutes),
  ...tagged("Translations", translationsRoutes),
  ...tagged("Files", filesRoutes),
  ...tagged("Covers", coversRoutes),
  ...tagged("Languages", languagesRoutes),
  ...tagged("Channels", channelsRoutes),
  ...tagged("API Keys", apiKeysRoutes),
  ...tagged("Users", usersRoutes),
  ...tagged("Analytics", analyticsRoutes),
  ...tagged("Audit log", auditRoutes),
  ...tagged("Contacts", contactsRoutes),
  ...tagged("Settings", settingsRoutes),
];
