/** The route table of the API. */
import type { Route, Tag } from "../http/route.ts";
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
import { importsRoutes } from "./imports.routes.ts";
import { jobsRoutes } from "./jobs.routes.ts";
import { languagesRoutes } from "./languages.routes.ts";
import { libraryRoutes } from "./library.routes.ts";
import { libraryFeedRoutes } from "./library-feeds.routes.ts";
import { libraryPageRoutes } from "./library-pages.routes.ts";
import { mailRoutes, mailStatusRoutes } from "./mail.routes.ts";
import { publicRoutes } from "./public.routes.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { systemRoutes } from "./system.routes.ts";
import { translationsRoutes } from "./translations.routes.ts";
import { usersRoutes } from "./users.routes.ts";
import { webhooksRoutes } from "./webhooks.routes.ts";
import { widgetRoutes } from "./widget.routes.ts";

type UntaggedRoute = Omit<Route, "tag">;

const addTag = (tag: Tag, routes: readonly UntaggedRoute[]): Route[] =>
  routes.flatMap(addPatch).map((route) => ({ ...route, tag }));

function addPatch(route: UntaggedRoute): UntaggedRoute[] {
  const { patchId: id, ...put } = route;
  if (id === undefined) return [route];
  const description = `${put.description} The same as \`PUT\` on this path.`;
  return [route, { ...put, id, method: "patch", description }];
}

export const routes: readonly Route[] = [
  ...addTag("Public", [...publicRoutes, ...mailRoutes, ...widgetRoutes]),
  ...addTag("Library pages", [...libraryPageRoutes, ...libraryFeedRoutes]),
  ...addTag("System", [...systemRoutes, ...doctorRoutes, ...jobsRoutes]),
  ...addTag("Authentication", authRoutes),
  ...addTag("Books", booksRoutes),
  ...addTag("Translations", translationsRoutes),
  ...addTag("Files", [...filesRoutes, ...importsRoutes]),
  ...addTag("Covers", coversRoutes),
  ...addTag("Languages", languagesRoutes),
  ...addTag("Channels", channelsRoutes),
  ...addTag("Library", libraryRoutes),
  ...addTag("API Keys", apiKeysRoutes),
  ...addTag("Users", usersRoutes),
  ...addTag("Analytics", analyticsRoutes),
  ...addTag("Audit log", auditRoutes),
  ...addTag("Contacts", contactsRoutes),
  ...addTag("Webhooks", webhooksRoutes),
  ...addTag("Settings", [...settingsRoutes, ...mailStatusRoutes]),
];
