/** A thread that says how much of its youngest memory is used, before it is collected and after. */
import { serveQuestions } from "../../src/db/workers/serve-questions.ts";
import { collectYoungest } from "../../src/lib/spent-bytes.ts";
import { leaveGarbage, youngBytes } from "./young-memory.ts";

serveQuestions(() => ({
  response() {
    leaveGarbage();
    const before = youngBytes();
    collectYoungest();
    return { before, after: youngBytes() };
  },
}));
