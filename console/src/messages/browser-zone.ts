/** The time zone of the browser, and whether a name is one. */

export function isZone(name: string | null | undefined): name is string {
  if (!name) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** UTC in a browser that doesn't know its own: `Etc/Unknown`, as some say then, is a zone that Intl and the service reject. */
export function findBrowserZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isZone(zone) ? zone : "UTC";
}
