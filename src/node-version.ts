/** The database driver crashes on an older Node: say so in one line and start nothing. Imports nothing itself. */

const LEAST_NODE = 24;

/** Ends the process with 78 (EX_CONFIG) when this Node is too old. */
export function refuseOldNode(): void {
  if (Number(process.versions.node.split(".")[0]) >= LEAST_NODE) return;
  process.stderr.write(
    `This service needs Node ${LEAST_NODE} or later and this is ${process.versions.node}. ` +
      "Start it with npm (npm start), which brings the right one.\n",
  );
  process.exit(78);
}
