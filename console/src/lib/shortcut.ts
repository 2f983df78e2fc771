/** Keys by the names on them, in any layout of the keyboard. Nothing here knows the page. */

/** What is needed of the event of a key. */
interface PressedKey {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * The name of a key. Where a layout has no Latin letters, for example the Arabic one, it is that of the same place on an
 * English keyboard, as it is printed on the key.
 */
export function readKey({ key, code, shiftKey }: Pick<PressedKey, "key" | "code" | "shiftKey">): string {
  if (/^[ -~]|\p{Script=Latin}/u.test(key)) return key;
  if (key === "؟" || (code === "Slash" && shiftKey)) return "?";
  return code === "Slash" ? "/" : code.replace(/^Key/, "");
}

/** Whether it is Ctrl, or Cmd, with a letter and nothing else. */
export function isControl(pressed: PressedKey, letter: string): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  return (ctrlKey || metaKey) && !altKey && !shiftKey && readKey(pressed).toLowerCase() === letter;
}
