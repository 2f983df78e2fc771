/** A worker thread that does what each question tells it to, and answers with what it has done so far. */
import { setTimeout as wait } from "node:timers/promises";
import { serveQuestions } from "../../src/db/workers/serve-questions.ts";

serveQuestions((deps) => {
  const done: unknown[] = [];
  return {
    async response(question) {
      if (question === "wait") await wait(20);
      if (question === "never answer") await wait(1e9);
      if (question === "throw") throw Object.assign(new Error("It was told to throw"), { code: "EIO" });
      if (question === "throw a word") throw "a word";
      if (question === "answer a function") return () => {};
      if (question === "exit") process.exit(1);
      if (question === "crash") setImmediate(() => JSON.parse("{"));
      done.push(question);
      return { deps, variables: Object.keys(process.env), done: [...done] };
    },
    afterwards() {
      if (done.at(-1) === "crash afterwards") throw new Error("It was told to crash");
      done.push("afterwards");
    },
  };
});
