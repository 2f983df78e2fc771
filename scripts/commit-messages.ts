/** What CONTRIBUTING.md says of commit messages, as far as a program can tell. */

const SUBJECT_LENGTH = 72;
const LINE_LENGTH = 120;
/** The merge that GitHub makes to check a pull request, and that never lands. */
const TRIAL_MERGE = /^Merge [0-9a-f]{40} into [0-9a-f]{40}$/;
/** A comma before "and" joins two sentences, unless another comma makes it the end of a list. */
const TWO_EFFECTS = /^[^,]*, and [^,]*$|\S[;.] \S/u;

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
    [TWO_EFFECTS.test(subject), "the subject states two effects: make it two commits"],
    [blank !== "", "the line below the subject isn't blank"],
    [body.join("").trim() === "", "the body doesn't state the reason"],
    [body.some(isLongProse), `a line of the body has more than ${LINE_LENGTH} characters`],
  ];
  return [...tooLong, ...rules.flatMap(([isBroken, error]) => (isBroken ? [error] : []))];
}

/** Addresses, and what is quoted by indenting it, can't be wrapped. */
const isLongProse = (line: string): boolean =>
  [...line].length > LINE_LENGTH && !line.includes("://") && !/^\s/.test(line);
