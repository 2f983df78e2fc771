/** The process of an Examination: `examination-process.ts <file> <limit>` sends one DatabaseState to its parent. */
import { examineDatabase } from "../soundness.ts";
import { lowerThreadPriority } from "./serve-questions.ts";

lowerThreadPriority();
const [file = "", limit = ""] = process.argv.slice(2);
// Whoever asked is gone.
process.once("disconnect", () => process.exit());
process.send?.(await examineDatabase(file, Number(limit)));
