/** The process of an Examination: `examination-process.ts <file> <limit>` sends one DatabaseState to its parent. */
import { giveWay } from "./give-way.ts";
import { examineDatabase } from "./soundness.ts";

giveWay();
const [file = "", limit = ""] = process.argv.slice(2);
// Whoever asked is gone.
process.once("disconnect", () => process.exit());
process.send?.(await examineDatabase(file, Number(limit)));
