/** What readers see and get. */
import { Favicon } from "../adapters/favicon.ts";
import { Tokens } from "../adapters/tokens.ts";
import { UserAgents } from "../adapters/user-agents.ts";
import { ArchivePlans } from "../services/archive-plan.ts";
import { ConsentLedger } from "../services/consent-ledger.ts";
import { CoverVariants } from "../services/cover-variants.ts";
import { DeliveriesService } from "../services/deliveries.service.ts";
import { DownloadRecords } from "../services/download-records.ts";
import { DownloadsService } from "../services/downloads.service.ts";
import { PublicCatalogueService } from "../services/public-catalogue.service.ts";
import { PublicCoversService } from "../services/public-covers.service.ts";
import { ReaderFacts } from "../services/reader-facts.ts";
import { SystemService } from "../services/system.service.ts";
import { appVersion } from "../version.ts";
import type { Uses } from "./uses.ts";

export function joinPublic(uses: Uses) {
  const { config, reads, images, store, coverCache, clock, log } = uses;
  const publicCatalogue = new PublicCatalogueService({ reads });
  return {
    ...joinDownloads(uses, publicCatalogue),
    publicCatalogue,
    publicCovers: new PublicCoversService({
      reads,
      catalogue: publicCatalogue,
      variants: new CoverVariants({ cache: coverCache, images, store, log }),
    }),
    system: new SystemService({
      facts: { version: appVersion, serverUrl: config.publicBaseUrl ?? "/" },
      publication: reads.publication,
      favicon: new Favicon({ directory: config.dataDir, log }),
      clock,
    }),
  };
}

function joinDownloads(uses: Uses, catalogue: PublicCatalogueService) {
  const { config, reads, archives, geoIp, store, secret, clock, newId, log, writeRecords } = uses;
  const { ipStorage: addressStorage, downloadTokenTtlMs: tokenTtlMs } = config;
  const readerFacts = new ReaderFacts({ geoIp, userAgents: new UserAgents(), addressStorage });
  const downloading = {
    catalogue,
    plans: new ArchivePlans({ reads }),
    archives,
    records: new DownloadRecords({
      write: writeRecords,
      ledger: new ConsentLedger({ newId, textVersions: config.consentTextVersions }),
      ...{ newId, clock, readerFacts, log },
    }),
    tokens: new Tokens({ secret, purpose: "download", clock }),
  };
  const { languages, publication, events } = reads;
  return {
    deliveries: new DeliveriesService({ ...downloading, languages, publication, events, store }),
    downloads: new DownloadsService({ ...downloading, tokenTtlMs }),
  };
}
