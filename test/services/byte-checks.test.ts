import { join } from "node:path";
import { expect, it } from "vitest";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { DoctorRepository } from "../../src/repositories/doctor.repository.ts";
import { KeptBytesRepository } from "../../src/repositories/kept-bytes.repository.ts";
import { ByteChecks } from "../../src/services/doctor/checks.ts";
import { Findings } from "../../src/services/doctor/findings.ts";
import { startWithAdmin } from "../support/app.ts";
import { removeReleased } from "../support/stored-files.ts";

it("the doctor doesn't report a file as missing that is deleted during the check", async () => {
  const { app, client: admin } = await startWithAdmin();
  const { book, file } = await app.make.published("Well", "en");
  const { database, newId } = app.container;

  /** When bytes are opened, the rows that name them have been read. */
  class LateStore extends FolderStore {
    override async open(sha256: string) {
      await admin.delete(`/api/admin/books/${book.id}/files/${file.id}`);
      await removeReleased(app);
      return super.open(sha256);
    }
  }
  const findings = new Findings();
  await new ByteChecks({
    rows: new DoctorRepository(database.report),
    store: new LateStore({ directory: join(app.dataDir, "files"), newId }),
    files: new KeptBytesRepository(database.read),
  }).checkRows(findings, false);
  expect(findings.report()).toMatchObject({ examined: { files: 1 }, findings: [] });
});
