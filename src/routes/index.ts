/** The table of contents of the interface. */
import type { Route } from "../http/define-route.ts";
import { analyticsRoutes } from "./analytics.routes.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { authRoutes } from "./auth.routes.ts";
import { booksRoutes } from "./books.routes.ts";
import { filesRoutes } from "./files.routes.ts";
import { languagesRoutes } from "./languages.routes.ts";
import { publicRoutes } from "./public.routes.ts";
import { documentRoute, systemRoutes } from "./system.routes.ts";
import { translationsRoutes } from "./translations.routes.ts";

export const routes: readonly Route[] = [
  ...publicRoutes,
  ...systemRoutes,
  ...authRoutes,
  ...booksRoutes,
  ...translationsRoutes,
  ...filesRoutes,
  ...languagesRoutes,
  ...apiKeysRoutes,
  ...analyticsRoutes,
  documentRoute(() => routes),
];
