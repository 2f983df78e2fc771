/** The versions of the catalogue: what is derived from it is valid while they stay the same. */
import { countWait, currentRequest, RequestScope, runRequest } from "../../db/request-scope.ts";
import type { PublicationRepository } from "../../repositories/publication.repository.ts";

/** How long the versions may be waited for, on behalf of several requests. */
const VERSIONS_MS = 5000;

/** What a value is derived from: what readers of a language can see or, without one, the whole catalogue. */
export interface CatalogueScope {
  languageId?: number;
  /** Grows with every change in the scope. Versions of different scopes can't be compared. */
  version: number;
}

/** All versions at one moment. */
export class CatalogueState {
  /** That of the whole catalogue, which every change raises. */
  readonly version: number;
  readonly #forAll: number;
  readonly #byLanguage: ReadonlyMap<number, number>;

  /** @param versions `forAll` counts the changes that concern all languages, `countByLanguage` the others */
  constructor(versions: { version: number; forAll: number; byLanguage: ReadonlyMap<number, number> }) {
    this.version = versions.version;
    this.#forAll = versions.forAll;
    this.#byLanguage = versions.byLanguage;
  }

  scopeOf(languageId?: number): CatalogueScope {
    if (languageId === undefined) return { version: this.version };
    return { languageId, version: this.#forAll + (this.#byLanguage.get(languageId) ?? 0) };
  }
}

type Versions = Pick<PublicationRepository, "readCatalogueVersion" | "readCatalogueVersions">;

/** The versions of the catalogue for requests, which ask for them together. */
export class CatalogueVersions {
  readonly #publication: Versions;
  #next: Promise<CatalogueState> | undefined;
  #last: CatalogueState | undefined;

  constructor(deps: { publication: Versions }) {
    this.#publication = deps.publication;
  }

  /**
   * Asks the database once for all callers of a turn of the event loop, after the last of them: no caller gets a state
   * that is older than its call, whichever instance has changed the catalogue. Each waits in the time of its own request.
   */
  readCurrent(): Promise<CatalogueState> {
    this.#next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#next = undefined;
        runRequest(new RequestScope(VERSIONS_MS), () => this.#read()).then(resolve, reject);
      });
    });
    const next = this.#next;
    return countWait(() => next);
  }

  async readCatalogueVersion(): Promise<number> {
    return (await this.readCurrent()).version;
  }

  /** The versions of languages are read only after a change. */
  async #read(): Promise<CatalogueState> {
    const version = await this.#publication.readCatalogueVersion();
    if (this.#last?.version === version) return this.#last;
    const state = new CatalogueState(await this.#publication.readCatalogueVersions());
    this.#last = state;
    return state;
  }
}

/** If this many concurrent changes in a row affect the read, something else is wrong. */
const MAX_TRIES = 4;

/**
 * Returns the result of `read` for the current catalogue. If `read` fails and the catalogue has changed since, it is
 * repeated; otherwise its error is thrown.
 * @param read receives the version of the catalogue that it reads, or an earlier one than its rows
 */
export async function retryIfCatalogueChanged<T>(
  versions: Pick<PublicationRepository, "readCatalogueVersion">,
  read: (version: number) => Promise<T>,
): Promise<T> {
  let version = await versions.readCatalogueVersion();
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(version);
    } catch (error) {
      if (currentRequest()?.remainingMs === 0) throw error;
      const versionNow = await versions.readCatalogueVersion();
      if (versionNow === version || tries === MAX_TRIES) throw error;
      version = versionNow;
    }
  }
}
