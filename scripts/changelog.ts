/** Reads sections of CHANGELOG.md. */

/** @returns the lines below `## [version]`; undefined if there is no such section */
export function findReleaseNotes(changelog: string, released: string): string | undefined {
  const [, ...sections] = changelog.split(/^## (?=\[)/m);
  const section = sections.find((each) => each.startsWith(`[${released}]`));
  return section?.slice(section.indexOf("\n")).trim();
}
