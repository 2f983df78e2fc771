/** Passwords that are long enough and still among the first to be tried. */

/** What remains when digits, signs and repetitions around it are taken off. */
const COMMON_STEMS = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword motdepasse contrasena admin administrator root welcome letmein
   qwerty qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm iloveyou monkey dragon football baseball superman batman
   princess sunshine starwars whatever trustno changeme default secret master login guest test user computer internet
   abc abcd abcdef abcdefg abcdefgh abcdefghijkl onetwothree michael jennifer jessica charlie liverpool chelsea
   bookdistribution bookservice books library`.split(/\s+/),
);
const DIGIT_RUNS = "01234567890123456789 98765432109876543210 112233445566778899 1qaz2wsx3edc4rfv5tgb";

/** Whether a password is one of the commonest, or one of them drawn out to the required length. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  if (new Set(lower).size < 5) return true;
  if (DIGIT_RUNS.split(" ").some((run) => run.includes(lower) || lower.startsWith(run))) return true;
  const stem = lower.replace(/^[^a-z]+|[^a-z]+$/g, "");
  return COMMON_STEMS.has(stem) || COMMON_STEMS.has(halfOf(stem));
}

/** `passwordpassword` is `password`. */
const halfOf = (text: string): string => {
  const half = text.slice(0, text.length / 2);
  return half.repeat(2) === text ? half : text;
};
