/** Finds the places of bytes that the service has already. */
import type { FilesRepository } from "../../repositories/files.repository.ts";
import type { KnownFiles } from "../../schemas/files.schemas.ts";
import { fileTypeOf } from "../shared/stored-values.ts";

interface KnownFilesServiceDeps {
  /** On a worker thread. */
  report: { files: Pick<FilesRepository, "listByHashes"> };
}

export class KnownFilesService {
  readonly #deps: KnownFilesServiceDeps;

  constructor(deps: KnownFilesServiceDeps) {
    this.#deps = deps;
  }

  async lookUp(hashes: readonly string[]): Promise<KnownFiles> {
    const rows = await this.#deps.report.files.listByHashes([...new Set(hashes)]);
    return {
      files: rows.flatMap((row) => {
        const { sha256, bookId, id: fileId, languageCode } = row;
        return sha256 === null ? [] : [{ sha256, bookId, fileId, languageCode, fileType: fileTypeOf(row) }];
      }),
    };
  }
}
