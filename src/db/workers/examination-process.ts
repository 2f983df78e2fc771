/** The process of an Examination: `examination-process.ts <file> <limit>` sends one DatabaseState to its parent. */
import { examineDatabase } from "../soundness.ts";
import { giveWay } from "./answer-questions.ts";

giveWay();
const [file = "", limit = ""] = process.argv.slice(2);
// Whoever asked is gone.
process.once("disconnect", () => process.exit());
process.send?.(await examineDatabase(file, Number(limit)));
