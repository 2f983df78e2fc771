/** Deletes ZIPs that may contain stored files whose bytes have turned out to be wrong. */
import type { FileCache } from "../../adapters/files/file-cache.ts";
import type { Clock } from "../../adapters/system.ts";
import type { PublicRepositories } from "../../repositories/index.ts";
import { ArchivePlans } from "../downloads/archive-plan.ts";
import { CatalogueVersions } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";

interface KeptZipsDeps {
  cache: Pick<FileCache, "keepOnly">;
  catalogue: PublicRepositories;
  clock: Clock;
}

export class KeptZips extends Service<KeptZipsDeps> {
  /**
   * Keeps only the ZIPs of the current catalogue that contain none of these contents: of an older ZIP, the contents
   * aren't known. Deleted ones are packed again when they are requested.
   * @param wrong SHA-256 in hex
   */
  async deleteWith(wrong: ReadonlySet<string>): Promise<void> {
    if (wrong.size === 0) return;
    const { cache, catalogue, clock } = this.deps;
    const versions = new CatalogueVersions({ ...catalogue, clock });
    const plans = new ArchivePlans({ catalogue, versions });
    const sound = new Set<string>();
    for (const language of await catalogue.languages.list()) {
      const { id, members } = await plans.getPlan(language);
      if (!members.some(({ file }) => wrong.has(file.sha256 ?? ""))) sound.add(id);
    }
    await cache.keepOnly(sound);
  }
}
