/** The second worker thread of the counts: makes a part of each count in the columns of the first. */
import { answerQuestions } from "../../db/workers/answer-questions.ts";
import { countPart } from "./counts.ts";
import { countTask } from "./task.ts";

answerQuestions(() => ({ answer: (task) => countPart(countTask.parse(task)) }));
