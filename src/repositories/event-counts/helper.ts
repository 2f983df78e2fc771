/** The second worker thread of the counts: makes a part of each count in the columns of the first. */
import { serveQuestions } from "../../db/workers/serve-questions.ts";
import { countPart } from "./counts.ts";
import { countTask } from "./task.ts";

serveQuestions(() => ({ response: (task) => countPart(countTask.parse(task)) }));
