/** The time zone of the browser, and whether a name is one. */

/** Intl also knows differences such as `+03:00`, which the service rejects: they are no zones with a summer time. */
export function isZone(name: string | null | undefined): name is string {
  if (!name || /^[+-]/.test(name)) return false;
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
