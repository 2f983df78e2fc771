/** Whether the cloud links still lead to a file. */
import type { CloudFetch } from "../../adapters/cloud-fetch.ts";
import { CloudFetchError } from "../../adapters/cloud-fetch-error.ts";
import { directDownloadUrl } from "../../lib/cloud-links.ts";
import type { DoctorRepository, LinkRow } from "../../repositories/doctor.repository.ts";
import { fileTypeOf, sourceTypeOf } from "../presenters.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

/** Few enough for other hosts not to take it for an attack. */
const AT_ONCE = 4;
const PATIENCE_MS = 20_000;

export class LinkChecks {
  readonly #rows: DoctorRepository;
  readonly #cloud: CloudFetch;

  constructor(uses: { rows: DoctorRepository; cloud: CloudFetch }) {
    this.#rows = uses.rows;
    this.#cloud = uses.cloud;
  }

  async check(findings: Findings): Promise<void> {
    findings.begin("cloud_link_broken");
    const links = pagesOf((id, limit) => this.#rows.linksAfter(id, limit));
    const worker = async () => {
      for (let next = await links.next(); !next.done; next = await links.next()) {
        await this.#checkLink(findings, next.value);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #checkLink(findings: Findings, row: LinkRow): Promise<void> {
    findings.examined.cloudLinks += 1;
    const source = sourceTypeOf(row);
    const fault = source === "local" ? "The file has no provider." : await this.#faultOf(row);
    if (fault !== undefined) {
      findings.add("cloud_link_broken", { kind: "file", id: row.id, name: row.name }, fault);
    }
  }

  /** Asks for the file and leaves before its bytes come. */
  async #faultOf(row: LinkRow): Promise<string | undefined> {
    try {
      const url = directDownloadUrl(row.cloudUrl, fileTypeOf(row));
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const body = await this.#cloud.open(url, { acceptHtml: row.fileType === "html", signal });
      body.on("error", () => {}).destroy();
      return undefined;
    } catch (error) {
      if (error instanceof CloudFetchError) return error.message;
      if (error instanceof DOMException && error.name === "TimeoutError") {
        return "The other host did not answer in time.";
      }
      throw error;
    }
  }
}
