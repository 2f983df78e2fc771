/** The route table of the API. */
import type { Route } from "../http/route.ts";
import { analyticsRoutes } from "./analytics.routes.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { auditRoutes } from "./audit.routes.ts";
import { authRoutes } from "./auth.routes.ts";
import { bookLifecycleRoutes, booksRoutes, bulkRoutes } from "./books.routes.ts";
import { channelsRoutes, publicationsRoutes } from "./channels.routes.ts";
import { contactsRoutes } from "./contacts.routes.ts";
import { coversRoutes } from "./covers.routes.ts";
import { doctorRoutes } from "./doctor.routes.ts";
import { filesRoutes } from "./files.routes.ts";
import { languagesRoutes, visibilityRoutes } from "./languages.routes.ts";
import { publicRoutes } from "./public.routes.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { systemRoutes } from "./system.routes.ts";
import { translationsRoutes } from "./translations.routes.ts";
import { usersRoutes } from "./users.routes.ts";

export const routes: readonly Route[] = [
  ...publicRoutes,
  ...systemRoutes,
  ...authRoutes,
  ...bulkRoutes,
  ...booksRoutes,
  ...bookLifecycleRoutes,
  ...translationsRoutes,
  ...filesRoutes,
  ...coversRoutes,
  ...languagesRoutes,
  ...visibilityRoutes,
  ...channelsRoutes,
  ...publicationsRoutes,
  ...apiKeysRoutes,
  ...usersRoutes,
  ...analyticsRoutes,
  ...auditRoutes,
  ...doctorRoutes,
  ...contactsRoutes,
  ...settingsRoutes,
];
