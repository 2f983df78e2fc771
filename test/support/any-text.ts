/** Texts of any code points for property tests: all planes, controls, unassigned ones and lone surrogates. */
import fc from "fast-check";

/** Half of the characters from the scripts below U+3000, where letters, marks and controls are dense. */
const anyCharacter = fc
  .oneof(fc.nat(0x3000), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** fast-check's own `unit: "binary"` takes a second to set up in each test file and has no lone surrogates. */
export const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });
