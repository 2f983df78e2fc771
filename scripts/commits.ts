/** Checks the messages of the commits since the rule began, see CONTRIBUTING.md: `npm run commits` */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { findMessageErrors } from "./commit-messages.ts";

/** The last commit before the rule. */
const BEFORE_THE_RULE = "060f9b40702ca0cbf3c3c34e7c317f4ee1c8c124";

interface Commit {
  hash: string;
  isMerge: boolean;
  message: string;
}

/** @returns the commits after `base`; undefined if the history here doesn't reach it */
function readCommits(base: string): Commit[] | undefined {
  const { status, stdout } = spawnSync("git", ["log", "-z", "--format=%H%n%P%n%B", `${base}..HEAD`], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) return undefined;
  return stdout
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [hash = "", parents = "", ...message] = record.split("\n");
      return { hash, isMerge: parents.includes(" "), message: message.join("\n") };
    });
}

const { values } = parseArgs({ options: { base: { type: "string", default: BEFORE_THE_RULE } } });
const commits = readCommits(values.base);
const wrong = (commits ?? []).flatMap(({ hash, isMerge, message }) =>
  findMessageErrors(message, isMerge).map(
    (error) => `${hash.slice(0, 8)} ${message.split("\n", 1)[0]}\n         ${error}`,
  ),
);
if (commits === undefined) {
  const short = values.base.slice(0, 8);
  console.log(`Messages of commits aren't checked: git shows no history back to ${short} (a shallow clone?)`);
} else if (wrong.length === 0) {
  console.log(`${commits.length} commit messages are as CONTRIBUTING.md says`);
} else {
  console.error(`These commit messages aren't as CONTRIBUTING.md says:\n${wrong.join("\n")}`);
  process.exitCode = 1;
}
