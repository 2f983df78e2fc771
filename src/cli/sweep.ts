/** `sweep [--confirm]`: lists stored files to which no row refers, or sets them aside. */
import { z } from "zod";
import { readConfig } from "../config.ts";
import type { Container } from "../container.ts";
import { assertDatabase } from "../db/open-database.ts";
import { mebibytes } from "../lib/sizes.ts";
import { measureSetAside } from "../services/files/stored-files.ts";
import type { Call } from "./command.ts";
import { withContainer } from "./with-container.ts";

const sweepOptions = z.object({ confirm: z.boolean().default(false) });

/** Also works while a server is running. A file that is needed after all is restored when it is downloaded. */
export async function sweep({ options }: Call): Promise<number> {
  const { confirm } = sweepOptions.parse(options);
  const config = readConfig();
  await assertDatabase(config);
  return withContainer(config, confirm ? setAside : list);
}

async function list({ stored }: Container): Promise<number> {
  const listed = { files: 0, bytes: 0 };
  for await (const { sha256, sizeBytes } of stored.listUnknown()) {
    process.stdout.write(`${sha256}  ${mebibytes(sizeBytes)}\n`);
    listed.files += 1;
    listed.bytes += sizeBytes;
  }
  const hint = listed.files === 0 ? "" : " To set them aside: bookdist sweep --confirm";
  process.stdout.write(
    `No row refers to ${listed.files} stored files (${mebibytes(listed.bytes)}).${hint}\n`,
  );
  return 0;
}

async function setAside({ database, stored, store, config }: Container): Promise<number> {
  let files = 0;
  const isAlone = await database.runAtOneInstance("sweep", async () => {
    files = await stored.setAsideUnknown();
  });
  if (!isAlone) {
    process.stderr.write("An instance that starts is sweeping. Try again when it has started.\n");
    return 1;
  }
  const size = await measureSetAside(store);
  const days = `REMOVED_FILES_DAYS (${config.removedFilesDays})`;
  process.stdout.write(
    `Set aside ${files} files. ${size.files} are set aside in total (${mebibytes(size.bytes)}); each is deleted after ${days}, unless it is needed before.\n`,
  );
  return 0;
}
