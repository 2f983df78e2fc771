/** Creates the services of the library. */
import { readStyleSheet } from "../../adapters/style-sheet.ts";
import { lazily } from "../../lib/lazily.ts";
import type { PublicRepositories } from "../../repositories/index.ts";
import type { ArchivePlans } from "../downloads/archive-plan.ts";
import type { DeliveriesService } from "../downloads/deliveries.service.ts";
import type { DownloadsService } from "../downloads/downloads.service.ts";
import type { CatalogueVersions } from "../shared/catalogue-versions.ts";
import type { CatalogueDeps } from "../shared/service.ts";
import { LibraryCatalogue } from "./library-catalogue.ts";
import { LibraryFeeds } from "./library-feeds.service.ts";
import { LibraryLooks } from "./library-looks.ts";
import { LibraryPages } from "./library-pages.service.ts";
import { LibraryPlaces } from "./library-places.ts";
import { DEFAULT_ACCENT, LibraryReader } from "./library-reader.ts";
import { LibraryRequests } from "./library-requests.service.ts";
import { LibraryStyle } from "./library-style.ts";

interface LibraryDeps extends Pick<CatalogueDeps, "config" | "pageLanguages" | "clock" | "reads"> {
  catalogue: PublicRepositories;
  versions: CatalogueVersions;
  plans: ArchivePlans;
  downloads: DownloadsService;
  deliveries: DeliveriesService;
}

export function createLibraryServices(deps: LibraryDeps) {
  const { publicBaseUrl, hasLibrary } = deps.config;
  const style = new LibraryStyle(readStyleSheet(), DEFAULT_ACCENT);
  const shared = {
    ...deps,
    style,
    publicBaseUrl,
    hasLibrary,
    libraryReader: new LibraryReader(deps),
    libraryCatalogue: new LibraryCatalogue(deps),
  };
  const places = new LibraryPlaces(shared);
  const libraryPages = new LibraryPages({ ...shared, places, looks: new LibraryLooks(shared) });
  const libraryRequests = new LibraryRequests({ ...shared, places, pages: libraryPages });
  const libraryFeeds = new LibraryFeeds({ ...shared, places });
  return {
    libraryReader: shared.libraryReader,
    libraryPages,
    libraryRequests,
    libraryFeeds,
    ...lazily(async () => {
      const { readWidgetSource } = await import("../../adapters/widget-source.ts");
      const { WidgetService } = await import("./widget.service.ts");
      return { widget: new WidgetService({ ...shared, readWidgetSource }) };
    }, "widget"),
  };
}
