/** Reading rows and then the bytes that they name: a change in between takes away bytes that nobody needs any more. */
import type { PublicationRepository } from "../repositories/publication.repository.ts";

/** With this many changes in a row that each hit what is read, something else is wrong. */
const MOST_TRIES = 4;

/**
 * What `read` finds in the catalogue as it stands. When it fails although the catalogue has changed meanwhile, it
 * looks again; otherwise what it throws is thrown.
 * @param read gets the version of the catalogue that it reads, or a later one's rows
 */
export async function asItStands<T>(
  publication: Pick<PublicationRepository, "catalogueVersion">,
  read: (version: number) => Promise<T>,
): Promise<T> {
  let version = await publication.catalogueVersion();
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(version);
    } catch (error) {
      const versionNow = await publication.catalogueVersion();
      if (versionNow === version || tries === MOST_TRIES) throw error;
      version = versionNow;
    }
  }
}
