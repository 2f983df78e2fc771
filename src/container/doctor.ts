/** Who looks over everything. */
import { DoctorRepository } from "../repositories/doctor.repository.ts";
import { ByteChecks } from "../services/doctor/byte-checks.ts";
import { LinkChecks } from "../services/doctor/link-checks.ts";
import { DoctorService } from "../services/doctor.service.ts";
import type { Uses } from "./uses.ts";

export function joinDoctor({ database, reads, store, cloud, geoIpFile, images, clock }: Uses): DoctorService {
  const rows = new DoctorRepository(database.report);
  return new DoctorService({
    rows,
    bytes: new ByteChecks({ rows, store, files: reads.files }),
    links: new LinkChecks({ rows, cloud }),
    geoIpModifiedAt: async () => (await geoIpFile.facts())?.modifiedAt,
    images,
    clock,
  });
}
