/** A thread that says how much of its youngest memory is used, before it is collected and after. */
import { answering } from "../../src/db/workers/answering.ts";
import { collectYoungest } from "../../src/lib/spent-bytes.ts";
import { leaveGarbage, youngBytes } from "./young-memory.ts";

export default answering(() => {
  leaveGarbage();
  const before = youngBytes();
  collectYoungest();
  return { before, after: youngBytes() };
});
