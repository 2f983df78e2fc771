/** A thread that answers questions, whatever happens to it. */
import { describe, expect, it, onTestFinished } from "vitest";
import { THREAD_FAILED, WorkerThread } from "../../src/db/workers/worker-thread.ts";
import { printedBy } from "../support/run-cli.ts";

const SCRIPT = new URL("../support/scripted-worker.ts", import.meta.url);

function newThread({ script = SCRIPT, data }: { script?: URL; data?: unknown } = {}) {
  const thread = new WorkerThread<unknown, { data: unknown; variables: string[]; done: unknown[] }>({
    script,
    data,
  });
  onTestFinished(() => thread.close());
  return thread;
}

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "It was answered",
    (error: Error) => error.message,
  );

/** What a process of its own prints that asks the thread, once it has ended by itself. */
function printedByAsking(statements: string): Promise<string> {
  const module = new URL("../../src/db/workers/worker-thread.ts", import.meta.url);
  return printedBy(`import { WorkerThread } from ${JSON.stringify(module.href)};
    const thread = new WorkerThread({ script: new URL(${JSON.stringify(SCRIPT.href)}) });
    ${statements}`);
}

describe("a thread whose start fails", () => {
  it("is started by the next question", async () => {
    let starts = 0;
    // Node copies the data for the thread when it starts.
    const data = {
      get value() {
        starts += 1;
        if (starts === 1) throw new Error("no memory");
        return 1;
      },
    };
    const thread = newThread({ data });
    await expect(thread.ask("first")).rejects.toMatchObject({ code: THREAD_FAILED });
    expect((await thread.ask("second")).data).toEqual({ value: 1 });
  });
});

describe("a thread that is asked", () => {
  it("answers one question after the other, in their order", async () => {
    const thread = newThread();
    const questions = ["wait", { n: 1 }, [2n], "wait", 5, 6];
    const responses = await Promise.all(questions.map((question) => thread.ask(question)));
    expect(responses.map(({ done }) => done)).toEqual(
      questions.map((_, index) => questions.slice(0, index + 1)),
    );
  });

  it("gets its workerData, and nothing of the environment except the compile cache", async () => {
    const { data, variables } = await newThread({ data: { file: "a", numbers: [1] } }).ask("wait");
    expect(data).toEqual({ file: "a", numbers: [1] });
    expect(["", "NODE_COMPILE_CACHE"]).toContain(variables.join());
  });

  it("says what is wrong with a question, and answers the next", async () => {
    const thread = newThread();
    const asked = ["throw", "throw a word", "wait"].map((question) => messageOf(thread.ask(question)));
    expect(await Promise.all(asked)).toEqual(["It was told to throw", "a word", "It was answered"]);
    expect(await messageOf(thread.ask(() => {}))).toContain("could not be cloned");
    await expect(thread.ask("throw")).rejects.toMatchObject({ code: "EIO" });
    expect(await thread.ask("wait")).toMatchObject({ done: ["wait", "wait"] });
  });
});

describe("a thread that can't be started", () => {
  it.each([
    ["a script that isn't there", new URL("file:///nowhere.ts"), "nowhere.ts"],
    ["a script that fails", new URL("../support/failing-worker.ts", import.meta.url), "told to fail"],
  ])("rejects every question: %s", async (_, script, message) => {
    const thread = newThread({ script });
    for (let times = 0; times < 2; times += 1) {
      const asked = await Promise.allSettled([thread.ask("wait"), thread.ask("wait"), thread.ask("wait")]);
      for (const { status } of asked) expect(status).toBe("rejected");
      expect(asked[0]).toMatchObject({
        reason: { code: THREAD_FAILED, message: expect.stringContaining(message) },
      });
    }
  });
});

describe("a thread that has crashed", () => {
  it.each([
    ["exit", "worker exited"],
    ["crash", "JSON"],
  ])("rejects the current question (%s), and a new thread answers the next", async (question, error) => {
    const thread = newThread();
    await thread.ask("wait");
    const [crashed, ...next] = [question, "one", "two"].map((each) => thread.ask(each));
    await expect(crashed).rejects.toMatchObject({
      code: THREAD_FAILED,
      message: expect.stringContaining(error),
    });
    expect((await Promise.all(next)).at(-1)).toMatchObject({ done: ["one", "two"] });
    expect(await thread.ask("three")).toMatchObject({ done: ["one", "two", "three"] });
  });
});

describe("a thread that is closed", () => {
  it("rejects pending questions and later ones, and may be closed again", async () => {
    const thread = newThread();
    await thread.ask("wait");
    const waiting = ["never answer", "wait"].map((each) => messageOf(thread.ask(each)));
    await thread.close();
    expect((await Promise.all(waiting)).filter((message) => !message.includes("Terminating"))).toEqual([]);
    await expect(thread.ask("wait")).rejects.toThrow("The thread has been closed");
    await thread.close();
  });

  it("before it was asked anything is never started", async () => {
    const thread = newThread();
    await thread.close();
    await expect(thread.ask("wait")).rejects.toThrow("The thread has been closed");
  });
});

describe("the process", () => {
  it("waits for responses, and ends by itself when none is due", async () => {
    const statements = `thread.ask("wait").then(() => thread.ask("wait")).then(({ done }) => console.log(done.length));`;
    expect(await printedByAsking(statements)).toBe("2\n");
  });

  it("isn't kept alive by a question that couldn't be sent", async () => {
    const statements = `thread.ask(() => {}).catch(() => console.log("refused"));`;
    expect(await printedByAsking(statements)).toBe("refused\n");
  });
});
