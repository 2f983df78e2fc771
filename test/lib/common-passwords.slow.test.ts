/** Passwords that are refused however long they are, and phrases that are not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCommonPassword } from "../../src/lib/common-passwords.ts";

it.each(
  [
    [
      "a word followed by numbers",
      "password1234 Password@123 qwerty123456 admin@123456 Welcome2024! 2024Summer!!",
    ],
    ["a word in disguise", "P@ssw0rd1234 p455w0rd2023 P@$$w0rd1234 L3tM31n12345 4dm1n1str4t0r ch4ng3m3!!!!"],
    [
      "words together",
      "greenbottle77 whosyourdaddy adminpassword administrator admintelecom ILoveYouBaby passwordpassword Liverpool-Chelsea",
    ],
    [
      "keys side by side",
      "qwertyuiop12 1qaz2wsx3edc zaq12wsxcde3 1q2w3e4r5t6y qazwsxedcrfv asdfghjkl;12 QWEasdZXC123",
    ],
    ["keys side by side elsewhere", "qwertzuiop12 azertyuiop99 йцукенйцукен"],
    [
      "the alphabet and the numbers",
      "abcdefghijkl a1b2c3d4e5f6 123456789012 098765432109 zyxwvutsrqpo abc123456789",
    ],
    [
      "numbers that everybody types",
      "112233445566 102030405060 147258369147 123123123123 Aa@123456789 1234567890ab",
    ],
    [
      "one thing over and over",
      "aaaaaaaaaaaa abababababab annaannaanna 121212121212 !!!!!!!!!!!! hunter2hunter2",
    ],
    ["words of this service", "bookdistribution Library12345 books2026books"],
  ].flatMap(([kind, passwords = ""]) => passwords.split(" ").map((password) => ({ kind, password }))),
)("isCommonPassword recognises $kind: $password", ({ password }) => {
  expect(isCommonPassword(password)).toBe(true);
  expect(isCommonPassword(password.toUpperCase())).toBe(true);
});

describe("isCommonPassword doesn't recognise", () => {
  it.each([
    "correct horse battery staple",
    "a long enough pass phrase",
    "monkey dragon football tennis",
    "my password is none of yours",
    "the world is on fire, bring tea",
    "Gr8-Oaks.Fall!Slow",
    "kX9#mQ2$vL7p",
    "rzjhwnqtbcpl",
    "839271746528",
    "книга лежит на столе",
    "本を読むのが好きですからね",
    "👩‍👩‍👧‍👦 on a train 🚂",
  ])("%s", (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  it("one of twelve random letters and digits", () => {
    const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const character = fc.integer({ min: 0, max: 61 }).map((index) => characters.charAt(index));
    const password = fc.array(fc.noBias(character), { minLength: 12, maxLength: 12 });
    const isRejected = (letters: string[]) => isCommonPassword(letters.join(""));
    expect(fc.sample(password, { seed: 1, numRuns: 5000 }).filter(isRejected)).toEqual([]);
  });
});

it("the check accepts any text, in bounded time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 256 }), (text) => void isCommonPassword(text)),
  );
  for (const text of ["", "a", "\ud800", "a".repeat(256), "qwertyuiop".repeat(25), "ab1".repeat(85)]) {
    expect(isCommonPassword(text)).toBe(true);
  }
});
