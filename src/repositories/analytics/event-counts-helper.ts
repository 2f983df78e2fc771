/** The second worker thread of the counts: makes a part of each count in the columns of the first. */
import { answerQuestions } from "../../db/answer-questions.ts";
import { countPart } from "./columns/count.ts";
import { countTask } from "./columns/task.ts";

answerQuestions(() => ({ answer: (task) => countPart(countTask.parse(task)) }));
