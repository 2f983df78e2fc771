/** A folder that is removed at the end of the scope that has it. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const temporaryFolder = (name: string) => mkdtempDisposableSync(join(tmpdir(), `${name}-`));
