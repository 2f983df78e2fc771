/** A problem as a small page, for the reader who follows a download link in a browser. */
import type { Problem } from "../schemas/problem.schemas.ts";

/** @param retryAfterSeconds when the page is to ask again by itself */
export function problemPage(
  { status, title, detail, requestId }: Problem,
  retryAfterSeconds?: number,
): string {
  const isPassing = retryAfterSeconds !== undefined;
  const texts = { title: escaped(title), detail: escaped(detail), requestId: escaped(requestId) };
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${
  isPassing
    ? `<meta http-equiv="refresh" content="${retryAfterSeconds}">
`
    : ""
}<title>${texts.title}</title>
<style>
  body { margin: 15vh auto; max-width: 32rem; padding: 0 1.5rem; font: 1.1rem/1.6 system-ui, sans-serif; color: #222; background: #fafafa }
  h1 { font-size: 1.5rem }
  small { color: #666 }
  @media (prefers-color-scheme: dark) { body { color: #ddd; background: #1a1a1a } small { color: #999 } }
</style>
<h1>${texts.title}</h1>
<p>${texts.detail}
<p>${isPassing ? "This page tries again by itself: please leave it open." : "Please go back to the site where you found the book and ask for it again."}
<p><small>${status} · ${texts.requestId}</small>
</html>
`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
