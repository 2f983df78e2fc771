/** What CONTRIBUTING.md says of commit messages, as far as a program can tell. */

const SUBJECT_LENGTH = 72;
const LINE_LENGTH = 120;
/** The merge that GitHub makes to check a pull request, and that never lands. */
const TRIAL_MERGE = /^Merge [0-9a-f]{40} into [0-9a-f]{40}$/;
/** Between two sentences. That ", and" joins two effects, and not the last of a list, only a reader can tell. */
const TWO_SENTENCES = /\S[;.] \S/u;

/** @returns what is wrong with a message, a sentence for each; of a merge, only its length counts */
export function findMessageErrors(message: string, isMerge = false): string[] {
  const [subject = "", blank = "", ...body] = message.trimEnd().split("\n");
  const length = [...subject].length;
  const isTooLong = length > SUBJECT_LENGTH && !TRIAL_MERGE.test(subject);
  const tooLong = isTooLong ? [`the subject has ${length} characters, more than ${SUBJECT_LENGTH}`] : [];
  if (isMerge) return tooLong;
  const rules: [boolean, string][] = [
    [/^\p{Ll}/u.test(subject), "the subject begins with a small letter"],
    [/[.!?:;,]$/.test(subject), "the subject ends with punctuation"],
    [TWO_SENTENCES.test(subject), "the subject states two effects: make it two commits"],
    [blank !== "", "the line below the subject isn't blank"],
    [body.some(isLongProse), `a line of the body has more than ${LINE_LENGTH} characters`],
  ];
  return [...tooLong, ...rules.flatMap(([isBroken, error]) => (isBroken ? [error] : []))];
}

/** Addresses, and what is quoted by indenting it, can't be wrapped. */
const isLongProse = (line: string): boolean =>
  [...line].length > LINE_LENGTH && !line.includes("://") && !/^\s/.test(line);
