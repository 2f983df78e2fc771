/** Links to files elsewhere. Here: which are accepted, when one is saved and again at each step of a fetch. */
import { isIP } from "node:net";
import { type CloudSource, isFolder } from "./cloud-links-download.ts";

export { type CloudSource, directDownloadUrl } from "./cloud-links-download.ts";

/** The accepted address as WHATWG URL writes it, or why it isn't accepted: a sentence and a stable code. */
export type CloudUrlCheck = { ok: true; url: string } | { ok: false; message: string; code: CloudUrlFault };

export type CloudUrlFault =
  | "url_malformed"
  | "url_too_long"
  | "url_with_credentials"
  | "url_not_https"
  | "url_port_not_allowed"
  | "url_host_not_public"
  | "url_of_another_provider"
  | "cloud_link_is_a_folder";

/** A link that may be saved, and where its file lives: what the address tells counts. */
export type CloudLinkCheck =
  | { ok: true; url: string; source: CloudSource }
  | Extract<CloudUrlCheck, { ok: false }>;

export interface CloudUrlOptions {
  /**
   * `host:port` of an organisation's own storage, as a URL spells the host (`[fd00::1]:9000` for IPv6).
   * That very host and port is accepted for every source, over http too, private or not.
   */
  allowHosts?: readonly string[];
  /** Longest address in characters, before and after normalising. Default 2,048. */
  maxLength?: number;
}

/** Checks what can be known of a link without looking its host up: form, scheme, user, port, host, provider. */
export function checkCloudUrl(
  url: string,
  source: CloudSource,
  { allowHosts = [], maxLength = 2048 }: CloudUrlOptions = {},
): CloudUrlCheck {
  if (url.length > maxLength)
    return refuse("url_too_long", `The link has more than ${maxLength} characters.`);
  // URL drops tabs and line breaks silently, and turns lone surrogates into U+FFFD: another link than was given.
  const parsed = controls.test(url) || !url.isWellFormed() ? null : URL.parse(url);
  if (parsed === null) return refuse("url_malformed", "This is not a valid link.");
  // Normalising can lengthen: a letter outside ASCII becomes up to twelve characters.
  if (parsed.href.length > maxLength) {
    return refuse("url_too_long", `The encoded link has more than ${maxLength} characters.`);
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return refuse("url_with_credentials", "The link must not carry a user name or password.");
  }
  if (!isAllowedHost(parsed, allowHosts)) {
    const fault = publicFault(parsed) ?? providerFault(parsed.hostname, source);
    if (fault !== undefined) return fault;
  }
  return { ok: true, url: parsed.href };
}

/**
 * Checks a link that somebody wants to save for one file.
 * @param source what is said of it; a provider that the address names takes its place
 */
export function checkCloudLink(url: string, source: CloudSource, options: CloudUrlOptions): CloudLinkCheck {
  const check = checkCloudUrl(url, source, options);
  if (!check.ok) return check;
  const address = new URL(check.url);
  if (isFolder(address)) {
    return refuse(
      "cloud_link_is_a_folder",
      "The link leads to a folder. Share the file and give its own link.",
    );
  }
  return { ...check, source: providerOf(address.hostname) ?? source };
}

/** Whether this http or https address names a host and port of the allow list. */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const hostAndPort = hostAndPortOf(url);
  return allowHosts.some((allowed) => allowed.toLowerCase() === hostAndPort);
}

/** As an allow list spells it; undefined when the scheme is neither http nor https. */
export function hostAndPortOf({ protocol, hostname, port }: URL): string | undefined {
  const defaultPort = { "http:": "80", "https:": "443" }[protocol];
  return defaultPort && `${hostname}:${port || defaultPort}`;
}

const refuse = (code: CloudUrlFault, message: string) => ({ ok: false, message, code }) as const;

/** C0, DEL and C1. */
const controls = /\p{Cc}/u;

function publicFault(url: URL) {
  if (url.protocol !== "https:") return refuse("url_not_https", "The link must begin with https://.");
  if (url.port !== "") return refuse("url_port_not_allowed", "The link must not name a port.");
  if (!isPublicName(url.hostname)) {
    return refuse("url_host_not_public", "The link must name a host of the public internet.");
  }
  return undefined;
}

/**
 * Names that no public DNS answers for: RFC 6761 (localhost, test, invalid), RFC 6762 (local), RFC 7686 (onion),
 * RFC 8375 (home.arpa, with the rest of arpa), RFC 9476 (alt), ICANN's reserved "internal", and what
 * RFC 6762, appendix G, and ICANN's collision study found in private use.
 */
const privateTopLevels = new Set(
  "localhost test invalid local onion arpa alt internal localdomain intranet private corp home lan".split(
    " ",
  ),
);

/**
 * URL has already written every spelling of an address (decimal, octal, hexadecimal, full-width) in one way;
 * an IPv6 address, even one that ends in IPv4, has no dot there.
 */
function isPublicName(hostname: string): boolean {
  if (isIP(hostname) !== 0 || hostname.length > 253) return false;
  const labels = hostname.split(".");
  return labels.length > 1 && !labels.includes("") && !privateTopLevels.has(labels.at(-1) ?? "");
}

/** Hosts of each provider: links that people share, and the addresses those turn into. `.x` stands for x and below. */
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

const PROVIDERS = ["google_drive", "dropbox", "onedrive"] as const;

const providerOf = (hostname: string): CloudSource | undefined =>
  PROVIDERS.find((provider) =>
    providers[provider].hosts.some((host) =>
      host.startsWith(".") ? `.${hostname}`.endsWith(host) : hostname === host,
    ),
  );

/** Who says that it is a provider's is asked for a link of one; of which, the link tells. */
function providerFault(hostname: string, source: CloudSource) {
  if (source === "url" || providerOf(hostname) !== undefined) return undefined;
  return refuse("url_of_another_provider", `This is not a link to ${providers[source].name}.`);
}
