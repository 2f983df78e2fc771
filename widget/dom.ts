/** Elements by calls: nothing is parsed as HTML, so no text of a book can be markup. */

/** @param part the name by which the page's style sheet can reach the element */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  part: string,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  if (part !== "") element.setAttribute("part", part);
  element.append(...children);
  return element;
}

export const makeButton = (part: string, text: string, press: () => void): HTMLButtonElement =>
  make("button", `button ${part}`, { type: "button", textContent: text, onclick: press });

/** A heading one level below the one before it in the page. */
export function makeTitle(host: HTMLElement, text: string): HTMLElement {
  const before = [...document.querySelectorAll("h1, h2, h3, h4, h5")].findLast(
    (heading) => heading.compareDocumentPosition(host) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const ariaLevel = String(Number(before?.localName.slice(1) ?? 1) + 1);
  return make("div", "title", { role: "heading", ariaLevel, textContent: text });
}
