/** The contract of the file store in a folder. */
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { describeFileStore } from "../support/file-store-contract.ts";
import { createTempFolder } from "../support/temp-folder.ts";

describeFileStore("a folder", async () => {
  const directory = join(createTempFolder(), "files");
  const store = new FolderStore({ directory, newId: randomUUID });
  return { store, listTemporary: () => readdir(join(directory, "tmp")) };
});
