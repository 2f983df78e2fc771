/** Passwords that are long enough and still among the first to be tried. */

/** Fewer different characters than this are no password, however many times they stand there. */
const MIN_VARIETY = 5;
/** What must be left of a password when everything that guessers try first is taken off. */
const MIN_REMAINDER = 5;

/**
 * Whether a password is one of the commonest, or made of them: a word or two out of everybody's list, keys that lie side
 * by side, years and numbers that count up, one thing over and over, in any case and with digits in place of letters.
 */
export function isCommonPassword(password: string): boolean {
  const unit = repeatedUnit(password.toLowerCase());
  if (new Set(unit).size < MIN_VARIETY) return true;
  const remainders = [
    withoutRuns(withoutWords(unit)),
    withoutRuns(withoutWords(unleeted(unit))),
    withoutWords(unleeted(withoutRuns(unit))),
  ];
  return remainders.some((remainder) => weightOf(remainder) < MIN_REMAINDER);
}

/** `passwordpassword` is `password`. */
const repeatedUnit = (text: string): string => text.slice(0, (text + text).indexOf(text, 1));

/** A digit or sign gives less to guess than a letter: most of them follow a word. */
const weightOf = (text: string): number =>
  Array.from(text).reduce((weight, character) => weight + (/\p{L}/u.test(character) ? 1 : 0.5), 0);

/** No more are taken off: three words are a phrase. */
const MAX_WORDS = 2;

function withoutWords(text: string): string {
  const found = WORDS.filter((word) => text.includes(word)).slice(0, MAX_WORDS);
  return found.reduce((rest, word) => rest.replaceAll(word, ""), text);
}

const SHORTEST_RUN = 4;

/** Takes off what follows a row of keys, the alphabet or the digits, forwards or backwards, and years. */
function withoutRuns(text: string): string {
  let rest = "";
  for (let at = 0; at < text.length; ) {
    const length = runLengthAt(text, at);
    if (length < SHORTEST_RUN) rest += text[at];
    at += length < SHORTEST_RUN ? 1 : length;
  }
  return rest.replace(/(?:19|20)\d\d/g, "").replace(/(.)\1{2,}/gu, "");
}

function runLengthAt(text: string, at: number): number {
  let length = 1;
  while (at + length < text.length && RUNS.includes(text.slice(at, at + length + 1))) length++;
  return length;
}

const unleeted = (text: string): string =>
  text.replace(/[0134578@$!+]/g, (sign) => "oieastbasit"["0134578@$!+".indexOf(sign)] ?? sign);

const ROWS = `qwertyuiop qwertzuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm yxcvbnm wxcvbn йцукен qweasdzxc
  qazwsxedcrfvtgbyhnujm 1qaz2wsx3edc4rfv5tgb6yhn7ujm zaq12wsxcde34rfvbgt5 q1w2e3r4t5y6u7i8o9p0 1q2w3e4r5t6y7u8i9o0p
  a1b2c3d4e5f6g7h8i9 1a2b3c4d5e6f7g8h9i abcdefghijklmnopqrstuvwxyz aabbccddeeffgghh
  01234567890 112233445566778899 10203040506070809 147258369 741852963 789456123 123654789 135792468 24681012`;
const RUNS = [...ROWS, ...Array.from(ROWS).reverse()].join("");

/** Longest first, so that `administrator` is found before `admin`. */
const WORDS =
  `password passwort passwd motdepasse contraseña contrasena senha parola heslo haslo wachtwoord пароль
  admin administrator root superuser user guest test testing demo login welcome willkommen bienvenue letmein open
  opensesame changeme default secret private master system server service support manager operator access security
  computer internet telecom windows microsoft google facebook samsung iphone android linux ubuntu oracle cisco
  iloveyou ilovejesus loveyou loveme forever beautiful lovely princess prince angel sweetheart baby honey sunshine
  sunflower rainbow flower butterfly summer winter spring autumn january february march april june july august
  september october november december monday friday sunday christmas hello goodbye whatever nothing something freedom
  monkey dragon tiger eagle falcon panther dolphin elephant penguin chicken bulldog horse kitten puppy shadow phoenix
  football baseball basketball hockey soccer tennis liverpool chelsea arsenal barcelona juventus manchester madrid
  yankees cowboys lakers steelers superman batman spiderman ironman pokemon pikachu minecraft starwars startrek
  skywalker gandalf matrix terminator metallica nirvana slipknot blink182 trustno1 abracadabra unbelievable
  michael jennifer jessica charlie daniel thomas andrew joshua matthew anthony jordan robert william richard patrick
  alexander alexandra benjamin samantha victoria christopher christian nicole michelle stephanie elizabeth maria mohamed
  mohammed muhammad ahmed bismillah allah jesus christ god heaven blessed london paris berlin america india pakistan
  canada mexico brasil germany france california newyork texas chocolate cookie banana orange cheese pepper ginger coffee
  diamond silver golden purple yellow hunter killer ranger soldier warrior knight maverick mustang ferrari mercedes
  porsche harley yamaha corvette qwerty asdf zxcv abcd theworldinyourhand fuckyou bookdistribution books book library`
    .split(/\s+/)
    .sort((a, b) => b.length - a.length);
