/** What is kept in memory by numbers of the database, and read anew when these mean nothing any more. */
import type { DatabaseSource } from "../../db/database.ts";
import { EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { PublicationRepository } from "../../repositories/publication.repository.ts";
import { CatalogueVersions } from "./catalogue-versions.ts";
import type { CommonDeps } from "./service.ts";

interface KeptDeps extends Pick<CommonDeps, "clock" | "schedule" | "log"> {
  database: { source: DatabaseSource };
  reads: { publication: PublicationRepository; events: RecordRepositories["events"] };
}

const LOST =
  "the database isn't the one that was read before, or has lost changes: what was kept of it is read again";

export function createKept({ database, reads, clock, schedule, log }: KeptDeps) {
  const eventCounts = new EventCounts(database.source, schedule);
  const versions = new CatalogueVersions({
    publication: reads.publication,
    clock,
    onLoss(reason) {
      log.warn({ reason }, LOST);
      // The columns compare their own marks before each report; this only begins earlier.
      void eventCounts.warmUp(reads.events);
    },
  });
  return { eventCounts, versions };
}
