/** Keys of layouts with and without Latin letters. */
import { expect, it } from "vitest";
import { isControl, readKey } from "../../console/src/lib/shortcut.ts";

const press = (key: string, code: string, shiftKey = false) => ({
  key,
  code,
  shiftKey,
  ctrlKey: true,
  metaKey: false,
  altKey: false,
});

it.each([
  { layout: "English", key: "s", code: "KeyS" },
  { layout: "English with Caps Lock", key: "S", code: "KeyS" },
  { layout: "Dvorak", key: "s", code: "Semicolon" },
  { layout: "Arabic", key: "س", code: "KeyS" },
  { layout: "Russian", key: "ы", code: "KeyS" },
  { layout: "Greek", key: "σ", code: "KeyS" },
  { layout: "Hebrew", key: "ד", code: "KeyS" },
  { layout: "Amharic", key: "ስ", code: "KeyS" },
])("is the S of a shortcut on a keyboard in $layout", ({ key, code }) => {
  expect(isControl(press(key, code), "s")).toBe(true);
});

it.each([
  { layout: "Dvorak", key: "o", code: "KeyS" },
  { layout: "German", key: "ß", code: "KeyS" },
  { layout: "Turkish", key: "ş", code: "KeyS" },
])("is another letter where $layout has one in the place of S", ({ key, code }) => {
  expect(isControl(press(key, code), "s")).toBe(false);
});

it("is no shortcut with further keys, or without Ctrl and Cmd", () => {
  const pressed = press("s", "KeyS");
  expect(isControl({ ...pressed, altKey: true }, "s")).toBe(false);
  expect(isControl({ ...pressed, shiftKey: true }, "s")).toBe(false);
  expect(isControl({ ...pressed, ctrlKey: false }, "s")).toBe(false);
  expect(isControl({ ...pressed, ctrlKey: false, metaKey: true }, "s")).toBe(true);
});

it.each([
  { name: "/", given: press("/", "Slash") },
  { name: "/", given: press("/", "Digit7", true) },
  { name: "/", given: press("ظ", "Slash") },
  { name: "?", given: press("?", "Minus", true) },
  { name: "?", given: press("؟", "Slash", true) },
  { name: "?", given: press("؟", "KeyW", true) },
  { name: ".", given: press(".", "Slash") },
  { name: " ", given: press(" ", "Space") },
  { name: "ArrowDown", given: press("ArrowDown", "ArrowDown") },
])("reads $given.key of $given.code as $name", ({ name, given }) => {
  expect(readKey(given)).toBe(name);
});
