/** The database driver crashes on older Node versions: reports it in one line and exits. Imports no other module. */
import { createRequire } from "node:module";

/** Ends the process with 78 (EX_CONFIG) if this Node is older than `engines` in package.json requires. */
export function rejectOldNode(): void {
  const { engines }: { engines: { node: string } } = createRequire(import.meta.url)("../package.json");
  const least = Number(engines.node.replace(">=", ""));
  if (Number(process.versions.node.split(".")[0]) >= least) return;
  process.stderr.write(
    `This service needs Node ${least} or later and this is ${process.versions.node}. ` +
      "npx bookdist, or an npm script, finds the right one.\n",
  );
  process.exit(78);
}
