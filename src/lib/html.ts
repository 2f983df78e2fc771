/** Markup from templates in which every value is escaped. */

/** Markup that is already safe. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[];

/** `` html`<p>${text}</p>` ``: texts are escaped, markup and lists of it are taken as they are. */
export const html = (texts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: texts.reduce((before, text, index) => before + render(values[index - 1] ?? "") + text),
});

function render(value: Value): string {
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("\n");
}

/** For texts and for values of attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
