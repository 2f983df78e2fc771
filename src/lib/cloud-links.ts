/** Validates links to cloud files, when they are saved and again at each step of a fetch. */
import { isIP } from "node:net";

const PROVIDERS = ["google_drive", "dropbox", "onedrive"] as const;

/** The provider of a file that isn't stored here. */
export type CloudSource = (typeof PROVIDERS)[number] | "url";

/** The accepted URL as WHATWG URL serialises it, or the reason for its rejection: a sentence and a stable code. */
type CloudUrlCheck = { ok: true; url: string } | { ok: false; message: string; code: CloudUrlError };

type CloudUrlError =
  | "url_malformed"
  | "url_too_long"
  | "url_with_credentials"
  | "url_not_https"
  | "url_port_not_allowed"
  | "url_host_not_public"
  | "url_of_another_provider"
  | "cloud_link_is_a_folder";

/** An accepted link and its provider, as determined from the URL. */
export type CloudLinkCheck =
  | Extract<CloudUrlCheck, { ok: false }>
  | { ok: true; url: string; source: CloudSource };

interface CloudUrlOptions {
  /**
   * `host:port` of an organisation's own storage, with the host as in a URL (`[fd00::1]:9000` for IPv6). This host and
   * port is accepted for every source, also over http, whether private or not.
   */
  allowHosts?: readonly string[];
  /** Maximum length in characters, before and after normalising. Default 2,048. */
  maxLength?: number;
}

/** What makes a link invalid wherever it leads; undefined if nothing does. */
export function findLinkError(url: string) {
  const link = readLink(url, MAX_LENGTH);
  return link instanceof URL ? undefined : link;
}

function readLink(url: string, maxLength: number) {
  if (url.length > maxLength)
    return reject("url_too_long", `The link has more than ${maxLength} characters.`);
  // URL silently drops tabs and line breaks and replaces lone surrogates by U+FFFD, which would change the link.
  const parsed = controls.test(url) || !url.isWellFormed() ? null : URL.parse(url);
  if (parsed === null) return reject("url_malformed", "This is not a valid link.");
  // Normalising can lengthen a URL: a non-ASCII letter becomes up to twelve characters.
  if (parsed.href.length > maxLength) {
    return reject("url_too_long", `The encoded link has more than ${maxLength} characters.`);
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return reject("url_with_credentials", "The link must not contain a user name or password.");
  }
  return /^https?:$/.test(parsed.protocol) ? parsed : NOT_HTTPS;
}

/** Checks a link without resolving its host: syntax, scheme, user, port, host, provider. */
export function checkCloudUrl(
  url: string,
  source: CloudSource,
  { allowHosts = [], maxLength = MAX_LENGTH }: CloudUrlOptions = {},
): CloudUrlCheck {
  const parsed = readLink(url, maxLength);
  if (!(parsed instanceof URL)) return parsed;
  if (!isAllowedHost(parsed, allowHosts)) {
    const error = findPublicError(parsed) ?? findProviderError(parsed.hostname, source);
    if (error !== undefined) return error;
  }
  return { ok: true, url: parsed.href };
}

/**
 * Checks a link that is to be saved for one file.
 * @param source the declared provider; the one that the URL identifies takes precedence
 */
export function checkCloudLink(url: string, source: CloudSource, options: CloudUrlOptions): CloudLinkCheck {
  const check = checkCloudUrl(url, source, options);
  if (!check.ok) return check;
  const address = new URL(check.url);
  if (isFolder(address)) {
    return reject(
      "cloud_link_is_a_folder",
      "The link leads to a folder. Share the file and use its own link.",
    );
  }
  return { ...check, source: providerOf(address.hostname) ?? source };
}

/** Whether the host and port of this http or https URL are on the allow list. */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const hostAndPort = hostAndPortOf(url);
  return allowHosts.some((allowed) => allowed.toLowerCase() === hostAndPort);
}

/** In the notation of the allow list; undefined if the scheme is neither http nor https. */
export function hostAndPortOf({ protocol, hostname, port }: URL): string | undefined {
  const defaultPort = { "http:": "80", "https:": "443" }[protocol];
  return defaultPort && `${hostname}:${port || defaultPort}`;
}

const reject = (code: CloudUrlError, message: string) => ({ ok: false, message, code }) as const;

const MAX_LENGTH = 2048;
const NOT_HTTPS = reject("url_not_https", "The link must start with https://.");

/** C0, DEL and C1. */
const controls = /\p{Cc}/u;

function findPublicError(url: URL) {
  if (url.protocol !== "https:") return NOT_HTTPS;
  if (url.port !== "") return reject("url_port_not_allowed", "The link must not contain a port.");
  if (!isPublicName(url.hostname)) {
    return reject(
      "url_host_not_public",
      "The host of the link must be a name on the public internet, not an IP address.",
    );
  }
  return undefined;
}

/**
 * Names that public DNS doesn't resolve: RFC 6761 (localhost, test, invalid), RFC 6762 (local), RFC 7686 (onion), RFC
 * 8375 (home.arpa, with the rest of arpa), RFC 9476 (alt), ICANN's reserved "internal", and names in private use
 * according to RFC 6762, appendix G, and ICANN's collision study.
 */
const privateTopLevels = new Set(
  "localhost test invalid local onion arpa alt internal localdomain intranet private corp home lan".split(
    " ",
  ),
);

/**
 * URL has already normalised every notation of an address (decimal, octal, hexadecimal, full-width). An IPv6 address
 * contains no dot there, even if it was given with an IPv4 suffix.
 */
function isPublicName(hostname: string): boolean {
  if (isIP(hostname) !== 0 || hostname.length > 253) return false;
  const labels = hostname.split(".");
  return labels.length > 1 && !labels.includes("") && !privateTopLevels.has(labels.at(-1) ?? "");
}

/**
 * Hosts of each provider: those of shared links, and those to which they redirect. `.x` matches x and its subdomains.
 */
const providers: Readonly<Record<Exclude<CloudSource, "url">, { name: string; hosts: readonly string[] }>> = {
  google_drive: {
    name: "Google Drive",
    hosts: ["drive.google.com", "docs.google.com", "drive.usercontent.google.com"],
  },
  dropbox: { name: "Dropbox", hosts: [".dropbox.com", ".dropboxusercontent.com"] },
  onedrive: {
    name: "OneDrive",
    hosts: [
      "1drv.ms",
      "onedrive.live.com",
      "api.onedrive.com",
      "my.microsoftpersonalcontent.com",
      ".sharepoint.com",
    ],
  },
};

const providerOf = (hostname: string): CloudSource | undefined =>
  PROVIDERS.find((provider) =>
    providers[provider].hosts.some((host) =>
      host.startsWith(".") ? `.${hostname}`.endsWith(host) : hostname === host,
    ),
  );

/** A declared provider requires a link of some known provider; the URL determines which. */
function findProviderError(hostname: string, source: CloudSource) {
  if (source === "url" || providerOf(hostname) !== undefined) return undefined;
  return reject("url_of_another_provider", `This is not a link to ${providers[source].name}.`);
}

// Converts shared links into direct download URLs.

/**
 * The direct download URL of an accepted link, by the provider of its host. Unknown forms, including folders and other
 * hosts, are returned unchanged.
 * @param fileType requested type of a Google document, which has none of its own; pdf if Google can't export it
 */
export function findDirectDownloadUrl(url: string, fileType = "pdf"): string {
  const parsed = URL.parse(url);
  if (parsed === null || isFolder(parsed)) return url;
  return (
    convertGoogleDocument(parsed, fileType) ??
    convertGoogleDrive(parsed) ??
    convertDropbox(parsed) ??
    convertOneDrive(parsed) ??
    convertSharePoint(parsed) ??
    url
  );
}

/** Whether a link points to a folder of a known provider, as far as the URL shows. */
function isFolder({ hostname, pathname }: URL): boolean {
  switch (hostname) {
    case "drive.google.com":
    case "docs.google.com":
      return /^(\/a\/[^/]+)?(\/u\/\d+)?\/(drive(\/|$)|(embedded)?folderview$|folders\/)/.test(pathname);
    case "dropbox.com":
    case "www.dropbox.com":
      // With a file name after the folder's key, it points to the file.
      return /^\/(sh|scl\/fo)\/[^/]+(\/[^/]*)?\/?$/.test(pathname);
    default:
      return isMicrosoft(hostname) && /^\/(:f:|f)\//i.test(pathname);
  }
}

const isMicrosoft = (hostname: string): boolean =>
  hostname === "1drv.ms" || hostname === "onedrive.live.com" || hostname.endsWith(".sharepoint.com");

/**
 * `/file/d/ID/view`, `open?id=ID`, `uc?id=ID`, each also below `/u/N` (the account number in the browser). The result
 * is the URL of Google's own "download anyway" button; `confirm=t` skips the page that warns that a large file wasn't
 * scanned for viruses (github.com/ndrplz/google-drive-downloader/pull/30).
 */
function convertGoogleDrive(url: URL): string | undefined {
  if (url.hostname !== "drive.google.com" && url.hostname !== "docs.google.com") return undefined;
  const path = removeAccount(url);
  const inQuery = /^\/(open|uc)$/.test(path) ? url.searchParams.get("id") : undefined;
  const id = /^\/file\/d\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? inQuery;
  if (!id || !/^[\w-]+$/.test(id)) return undefined;
  const direct = new URL("https://drive.usercontent.google.com/download?export=download&confirm=t");
  direct.searchParams.set("id", id);
  // Files shared before 2017 require this key (developers.google.com/drive/api/guides/resource-keys).
  const resourceKey = url.searchParams.get("resourcekey");
  if (resourceKey) direct.searchParams.set("resourcekey", resourceKey);
  return direct.href;
}

/** The path without the organisation and account of the person who copied the link: `/a/example.org`, `/u/0`. */
const removeAccount = ({ pathname }: URL): string =>
  pathname.replace(/^\/a\/[^/]+/, "").replace(/^(\/\w+)?\/u\/\d+(?=\/)/, "$1");

/** The export formats of each kind of Google document (developers.google.com/drive/api/guides/ref-export-formats). */
const googleExports: Readonly<Record<string, readonly string[]>> = {
  document: ["pdf", "epub", "docx", "odt", "rtf", "txt"],
  presentation: ["pdf", "txt"],
  spreadsheets: ["pdf"],
};

/** `/document/d/ID/edit`; published documents (`/d/e/...`) can't be exported. */
function convertGoogleDocument(url: URL, fileType: string): string | undefined {
  if (url.hostname !== "docs.google.com") return undefined;
  const [, kind, id, rest] =
    /^\/(document|presentation|spreadsheets)\/d\/(?!e\/)([\w-]+)(\/.*)?$/.exec(removeAccount(url)) ?? [];
  if (kind === undefined || rest?.startsWith("/export")) return undefined;
  const format = googleExports[kind]?.includes(fileType) ? fileType : "pdf";
  return `https://docs.google.com/${kind}/d/${id}/export?format=${format}`;
}

/**
 * `dl=1` instead of `dl=0`; the other parameters are kept, `rlkey` grants access (help.dropbox.com, force-download).
 */
function convertDropbox(url: URL): string | undefined {
  if (!/^(www\.)?dropbox\.com$/.test(url.hostname) || !/^\/(s|sh|scl)\//.test(url.pathname)) return undefined;
  const direct = new URL(url);
  direct.searchParams.delete("raw");
  direct.searchParams.set("dl", "1");
  return direct.href;
}

/**
 * Two generations of links are in use. Since 2024 a link contains drive and token (`1drv.ms/b/c/DRIVE/TOKEN`,
 * `onedrive.live.com/:b:/g/personal/DRIVE/TOKEN`) and SharePoint's download page serves it; the shares API requires a
 * log-in for those (rclone, issue 7898). Older links use that API, in its encoding
 * (learn.microsoft.com/graph/api/shares-get). `f` marks a folder.
 */
function convertOneDrive(url: URL): string | undefined {
  const { hostname, pathname } = url;
  if (hostname !== "1drv.ms" && hostname !== "onedrive.live.com") return undefined;
  const [, drive, token] =
    /^\/(?!f\/)[a-z]\/c\/([0-9a-f]+)\/([\w-]+)$/i.exec(pathname) ??
    /^\/:(?!f:)[a-z]:\/g\/personal\/([0-9a-f]+)\/([\w-]+)$/i.exec(pathname) ??
    [];
  if (drive !== undefined) {
    return `https://my.microsoftpersonalcontent.com/personal/${drive}/_layouts/15/download.aspx?share=${token}`;
  }
  const isOldLink =
    hostname === "1drv.ms"
      ? /^\/(?!f\/)[a-z]\/s!/i.test(pathname)
      : /^\/(redir|embed|view(\.aspx)?)?$/.test(pathname);
  if (!isOldLink || url.search + pathname === "/") return undefined;
  return `https://api.onedrive.com/v1.0/shares/u!${Buffer.from(url.href).toString("base64url")}/root/content`;
}

/**
 * The folder of a SharePoint link by its letter (learn.microsoft.com/sharepoint/dev/spfx/shorter-share-link-format).
 */
const sharePointFolders: Readonly<Record<string, string>> = {
  g: "/",
  s: "/sites/",
  t: "/teams/",
};

/**
 * `/:b:/g/personal/USER/TOKEN`. The download page accepts the token itself (rclone, pull 5417). The better-known
 * `download=1` can end at the log-in page for a client without cookies, so it is used only for the other forms.
 */
function convertSharePoint(url: URL): string | undefined {
  if (!url.hostname.endsWith(".sharepoint.com")) return undefined;
  const [, letter = "", site = "", token] =
    /^\/:(?!f:)[a-z]:\/([gst])\/((?:[^/]+\/)*)([\w-]+)$/.exec(url.pathname) ?? [];
  if (token !== undefined) {
    return `${url.origin}${sharePointFolders[letter]}${site}_layouts/15/download.aspx?share=${token}`;
  }
  if (url.pathname.startsWith("/:f:/") || url.pathname.includes("/_layouts/")) return undefined;
  const direct = new URL(url);
  direct.searchParams.set("download", "1");
  return direct.href;
}
