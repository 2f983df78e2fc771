/** Who looks over everything. */
import { join } from "node:path";
import { modifiedAt } from "../adapters/file-facts.ts";
import { DoctorRepository } from "../repositories/doctor.repository.ts";
import { ByteChecks } from "../services/doctor/byte-checks.ts";
import { LinkChecks } from "../services/doctor/link-checks.ts";
import { DoctorService } from "../services/doctor.service.ts";
import type { Uses } from "./uses.ts";

export function joinDoctor({ config, database, reads, store, cloud, clock }: Uses): DoctorService {
  const rows = new DoctorRepository(database.report);
  return new DoctorService({
    rows,
    bytes: new ByteChecks({ rows, store, files: reads.files }),
    links: new LinkChecks({ rows, cloud }),
    geoIpModifiedAt: () => modifiedAt(join(config.dataDir, "GeoLite2-City.mmdb")),
    clock,
  });
}
