/** The record of the installation. */
import type { Updateable } from "kysely";
import { type Installation, readInstallation, updateInstallation } from "../db/installation.ts";
import type { Schema } from "../db/schema.ts";
import { Repository } from "./repository.ts";

export class InstallationRepository extends Repository {
  read(): Promise<Installation> {
    return readInstallation(this.db);
  }

  async update(change: Updateable<Schema["installation"]>): Promise<void> {
    await updateInstallation(this.db, change);
  }
}
