/** Whether the rows and the bytes agree: nothing missing, nothing changed, nothing left over. */
import { basename } from "node:path";
import type { FileStore, OpenedBlob } from "../../adapters/file-store.ts";
import { sha256Of } from "../../adapters/file-store-disk.ts";
import { readFailureOf } from "../../adapters/file-store-faults.ts";
import type { DoctorRepository, KeptRow } from "../../repositories/doctor.repository.ts";
import type { FilesRepository } from "../../repositories/files.repository.ts";
import { openBytesIfThere } from "../open-bytes.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

export class ByteChecks {
  readonly #rows: DoctorRepository;
  readonly #store: FileStore;
  readonly #files: Pick<FilesRepository, "isReferred">;

  constructor(uses: {
    rows: DoctorRepository;
    store: FileStore;
    files: Pick<FilesRepository, "isReferred">;
  }) {
    this.#rows = uses.rows;
    this.#store = uses.store;
    this.#files = uses.files;
  }

  /** @param isDeep whether all bytes are read and hashed, or only counted */
  async checkRows(findings: Findings, isDeep: boolean): Promise<void> {
    findings.begin("missing_bytes");
    findings.begin("unreadable_bytes");
    if (isDeep) findings.begin("changed_bytes");
    for await (const row of pagesOf((id, limit) => this.#rows.filesAfter(id, limit))) {
      findings.examined.files += 1;
      await this.#checkRow(findings, "file", row, isDeep);
    }
    for await (const row of pagesOf((id, limit) => this.#rows.coversAfter(id, limit))) {
      findings.examined.covers += 1;
      await this.#checkRow(findings, "cover", row, isDeep);
    }
  }

  async checkOrphans(findings: Findings): Promise<void> {
    findings.begin("orphaned_bytes");
    const unreadable = (path: string, reason: string) => {
      const name = basename(path);
      findings.add(
        "unreadable_bytes",
        { kind: "bytes", id: path, name },
        `${path} can't be read: ${reason}.`,
      );
    };
    for await (const { sha256, sizeBytes } of this.#store.list(unreadable)) {
      findings.examined.bytes += 1;
      // An upload puts its bytes before its row: whoever is between the two is waited for.
      if (await this.#store.exclusively(sha256, () => this.#files.isReferred(sha256))) continue;
      const message = `The stored blob (${sizeBytes} bytes) belongs to no file and no cover.`;
      findings.add("orphaned_bytes", { kind: "bytes", id: sha256, name: sha256 }, message);
    }
  }

  async #checkRow(findings: Findings, kind: "file" | "cover", row: KeptRow, isDeep: boolean): Promise<void> {
    const object = { kind, id: row.id, name: row.name };
    try {
      const found = await this.#lookAt(row, isDeep);
      if (found === "missing_bytes") {
        findings.add(found, object, "The bytes are not there, or not as many as they should be.");
      }
      if (found === "changed_bytes") findings.add(found, object, "The bytes are not those that were stored.");
    } catch (error) {
      // One that can't be read says nothing about the others.
      const reason = readFailureOf(error);
      if (reason === undefined) throw error;
      findings.add("unreadable_bytes", object, `The bytes (${row.sha256}) can't be read: ${reason}.`);
    }
  }

  async #lookAt(row: KeptRow, isDeep: boolean): Promise<"missing_bytes" | "changed_bytes" | undefined> {
    const blob = (await openBytesIfThere(this.#store, row)) ?? (await this.#openAgain(row));
    if (blob === "gone") return undefined;
    if (blob === undefined) return "missing_bytes";
    try {
      return isDeep && (await sha256Of(blob.handle)) !== row.sha256 ? "changed_bytes" : undefined;
    } finally {
      await blob.handle.close();
    }
  }

  /** Bytes that went together with their row, since that was read, are not missing. */
  async #openAgain(row: KeptRow): Promise<OpenedBlob | "gone" | undefined> {
    return (await this.#files.isReferred(row.sha256)) ? openBytesIfThere(this.#store, row) : "gone";
  }
}
