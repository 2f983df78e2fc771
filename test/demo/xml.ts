// A small strict check that a text is well-formed XML 1.0, for the documents of an EPUB.

const NAME = "[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?";
const TAG = new RegExp(`^<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>$`, "s");
const ATTRIBUTE = new RegExp(`(${NAME})="([^"<]*)"`, "gs");
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i;

export type Element = { name: string; attributes: Map<string, string> };

/**
 * The elements in document order.
 * @throws Error at the first place where the text isn't well-formed
 */
export function elementsOf(xml: string): Element[] {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*(?:<!DOCTYPE html>\s*)?/, "");
  const open: string[] = [];
  const elements: Element[] = [];
  for (const [token] of body.trim().matchAll(/<[^>]*>|[^<]+|</g)) {
    if (elements.length > 0 && open.length === 0) throw new Error(`after the root element: ${token}`);
    if (!token.startsWith("<")) checkText(token, open);
    else readTag(token, open, elements);
  }
  if (open.length > 0 || elements.length === 0) throw new Error(`not closed: ${open.join(", ")}`);
  return elements;
}

function checkText(text: string, open: readonly string[]): void {
  if (open.length === 0) throw new Error(`outside of the root element: ${text}`);
  if (BAD_REFERENCE.test(text) || text.includes("]]>")) throw new Error(`not escaped: ${text}`);
}

function readTag(token: string, open: string[], elements: Element[]): void {
  const [, closing, name, attributes = "", empty] = TAG.exec(token) ?? [];
  if (name === undefined) throw new Error(`not a tag: ${token}`);
  if (closing === "/") {
    if (attributes !== "" || empty === "/" || open.pop() !== name)
      throw new Error(`closes nothing: ${token}`);
    return;
  }
  elements.push({ name, attributes: attributesOf(attributes) });
  if (empty !== "/") open.push(name);
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`twice: ${name}`);
    if (BAD_REFERENCE.test(value)) throw new Error(`not escaped: ${value}`);
    attributes.set(name, value);
  }
  return attributes;
}
