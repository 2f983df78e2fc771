import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { AskedWorker } from "../../src/db/workers/asked-worker.ts";

const SCRIPT = new URL("../support/obedient-worker.ts", import.meta.url);

function newWorker(deps?: unknown): AskedWorker {
  const worker = new AskedWorker(SCRIPT, deps);
  onTestFinished(() => worker.close());
  return worker;
}

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "It was answered",
    (error: Error) => error.message,
  );

/** What a process of its own prints that asks the worker, once it has ended by itself. */
async function printedBy(statements: string): Promise<{ printed: string; code: unknown }> {
  const askedWorker = new URL("../../src/db/workers/asked-worker.ts", import.meta.url);
  const script = `import { AskedWorker } from ${JSON.stringify(askedWorker.href)};
    const worker = new AskedWorker(new URL(${JSON.stringify(SCRIPT.href)}));
    ${statements}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { printed, code };
}

describe("a worker that is asked", () => {
  it("answers one question after the other, and is done with each before the next", async () => {
    const worker = newWorker();
    const responses = await Promise.all(["wait", { n: 1 }, [2n]].map((question) => worker.ask(question)));
    expect(responses).toMatchObject([
      { done: ["wait"] },
      { done: ["wait", "afterwards", { n: 1 }] },
      { done: ["wait", "afterwards", { n: 1 }, "afterwards", [2n]] },
    ]);
  });

  it("knows what it was started with, and nothing of the environment but where compiled sources are", async () => {
    const { deps, variables } = Object(await newWorker({ file: "a", numbers: [1] }).ask("wait"));
    expect(deps).toEqual({ file: "a", numbers: [1] });
    expect(["", "NODE_COMPILE_CACHE"]).toContain(variables.join());
  });

  it("says what is wrong with a question, and answers the next", async () => {
    const worker = newWorker();
    const asked = ["throw", "throw a word", "answer a function", "wait"].map((question) =>
      messageOf(worker.ask(question)),
    );
    expect(await Promise.all(asked)).toEqual([
      "It was told to throw",
      "a word",
      expect.stringContaining("could not be cloned"),
      "It was answered",
    ]);
    expect(await messageOf(worker.ask(() => {}))).toContain("could not be cloned");
    await expect(worker.ask("throw")).rejects.toMatchObject({ code: "EIO" });
    expect(await worker.ask("wait")).toMatchObject({ deps: undefined });
  });
});

describe("a worker that can't be started", () => {
  const startedFrom = (script: string) => new AskedWorker(new URL(`data:text/javascript,${script}`));

  it("says so, whatever Node says of a script that it doesn't get", async () => {
    await expect(startedFrom("import 'file:///nowhere.js'").ask("wait")).rejects.toMatchObject({
      code: "ERR_THREAD_NOT_STARTED",
      message: expect.stringContaining("nowhere.js"),
      cause: { code: "ERR_MODULE_NOT_FOUND" },
    });
  });

  it("says so when the thread is refused at once, and asks for one anew", async () => {
    const worker = new AskedWorker(new URL("http://127.0.0.1/no-script-of-ours.js"));
    for (let times = 0; times < 2; times += 1) {
      await expect(worker.ask("anything")).rejects.toMatchObject({ code: "ERR_THREAD_NOT_STARTED" });
    }
    await worker.close();
  });

  it("leaves to SQLite's faults what they mean", async () => {
    const script = "throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })";
    await expect(startedFrom(script).ask("wait")).rejects.toMatchObject({ code: "SQLITE_FULL" });
  });
});

describe("a worker that has crashed", () => {
  it.each([
    ["exit", "The worker has stopped"],
    ["crash", "JSON"],
    ["crash afterwards", "It was told to crash"],
  ])("tells all who wait (%s), and the next question starts a new one", async (question, error) => {
    const worker = newWorker();
    await worker.ask("wait");
    const asked = [question, "never answer", "wait"].map((each) => messageOf(worker.ask(each)));
    for (const message of (await Promise.all(asked)).slice(1)) expect(message).toContain(error);
    expect(await worker.ask("a new one")).toMatchObject({ done: ["a new one"] });
  });
});

describe("a worker that is closed", () => {
  it("tells those who wait and whoever asks later, and may be closed again", async () => {
    const worker = newWorker();
    await worker.ask("wait");
    const waiting = ["never answer", "wait"].map((each) => messageOf(worker.ask(each)));
    await worker.close();
    expect(await Promise.all(waiting)).toEqual(["The worker has stopped", "The worker has stopped"]);
    await expect(worker.ask("wait")).rejects.toThrow("The worker has been closed");
    await worker.close();
  });

  it("before it was asked anything is never started", async () => {
    const worker = newWorker();
    await worker.close();
    await expect(worker.ask("wait")).rejects.toThrow("The worker has been closed");
  });
});

describe("the process", () => {
  it("waits for answers, and ends by itself when none is due", async () => {
    const statements = `worker.ask("wait").then(() => worker.ask("wait")).then(({ done }) => console.log(done.length));`;
    expect(await printedBy(statements)).toEqual({ printed: "3\n", code: 0 });
  });

  it("isn't kept alive by a question that couldn't be sent", async () => {
    const statements = `worker.ask(() => {}).catch(() => console.log("refused"));`;
    expect(await printedBy(statements)).toEqual({ printed: "refused\n", code: 0 });
  });
});
