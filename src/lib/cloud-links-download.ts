/** Turns the links that people share into the addresses that answer with the file itself. */

/** Where a file lives that isn't stored here. */
export type CloudSource = "google_drive" | "dropbox" | "onedrive" | "url";

/**
 * The direct download address of an accepted link, whose provider its host tells. What isn't recognised, folders and
 * other hosts included, stays as it is.
 *
 * @param fileType wanted type of a Google document, which has none of its own; what Google can't make becomes pdf
 */
export function directDownloadUrl(url: string, fileType = "pdf"): string {
  const parsed = URL.parse(url);
  if (parsed === null || isFolder(parsed)) return url;
  return (
    fromGoogleDocument(parsed, fileType) ??
    fromGoogleDrive(parsed) ??
    fromDropbox(parsed) ??
    fromOneDrive(parsed) ??
    fromSharePoint(parsed) ??
    url
  );
}

/** Whether a link leads to a folder of a provider that we know, as far as its address tells. */
export function isFolder({ hostname, pathname }: URL): boolean {
  switch (hostname) {
    case "drive.google.com":
    case "docs.google.com":
      return /^(\/a\/[^/]+)?(\/u\/\d+)?\/(drive(\/|$)|(embedded)?folderview$|folders\/)/.test(pathname);
    case "dropbox.com":
    case "www.dropbox.com":
      // With a file's name behind the folder's key it is the file.
      return /^\/(sh|scl\/fo)\/[^/]+(\/[^/]*)?\/?$/.test(pathname);
    default:
      return isMicrosoft(hostname) && /^\/(:f:|f)\//i.test(pathname);
  }
}

const isMicrosoft = (hostname: string): boolean =>
  hostname === "1drv.ms" || hostname === "onedrive.live.com" || hostname.endsWith(".sharepoint.com");

/**
 * `/file/d/ID/view`, `open?id=ID`, `uc?id=ID`, each also below `/u/N` (the account that the browser was in). The address is the one that Google's own "download anyway" button
 * leads to; `confirm=t` skips the page that says that a large file wasn't scanned for viruses
 * (github.com/ndrplz/google-drive-downloader/pull/30).
 */
function fromGoogleDrive(url: URL): string | undefined {
  if (url.hostname !== "drive.google.com" && url.hostname !== "docs.google.com") return undefined;
  const path = withoutAccount(url);
  const inQuery = /^\/(open|uc)$/.test(path) ? url.searchParams.get("id") : undefined;
  const id = /^\/file\/d\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? inQuery;
  if (!id || !/^[\w-]+$/.test(id)) return undefined;
  const direct = new URL("https://drive.usercontent.google.com/download?export=download&confirm=t");
  direct.searchParams.set("id", id);
  // Files shared before 2017 answer only with this key (developers.google.com/drive/api/guides/resource-keys).
  const resourceKey = url.searchParams.get("resourcekey");
  if (resourceKey) direct.searchParams.set("resourcekey", resourceKey);
  return direct.href;
}

/** The path without the organisation and the account of whoever copied the link: `/a/example.org`, `/u/0`. */
const withoutAccount = ({ pathname }: URL): string =>
  pathname.replace(/^\/a\/[^/]+/, "").replace(/^(\/\w+)?\/u\/\d+(?=\/)/, "$1");

/** What Google makes of each kind of document (developers.google.com/drive/api/guides/ref-export-formats). */
const googleExports: Readonly<Record<string, readonly string[]>> = {
  document: ["pdf", "epub", "docx", "odt", "rtf", "txt"],
  presentation: ["pdf", "txt"],
  spreadsheets: ["pdf"],
};

/** `/document/d/ID/edit`; what is published (`/d/e/...`) has no export. */
function fromGoogleDocument(url: URL, fileType: string): string | undefined {
  if (url.hostname !== "docs.google.com") return undefined;
  const [, kind, id, rest] =
    /^\/(document|presentation|spreadsheets)\/d\/(?!e\/)([\w-]+)(\/.*)?$/.exec(withoutAccount(url)) ?? [];
  if (kind === undefined || rest?.startsWith("/export")) return undefined;
  const format = googleExports[kind]?.includes(fileType) ? fileType : "pdf";
  return `https://docs.google.com/${kind}/d/${id}/export?format=${format}`;
}

/** `dl=1` in place of `dl=0`; the other parameters stay, `rlkey` grants access (help.dropbox.com, force-download). */
function fromDropbox(url: URL): string | undefined {
  if (!/^(www\.)?dropbox\.com$/.test(url.hostname) || !/^\/(s|sh|scl)\//.test(url.pathname)) return undefined;
  const direct = new URL(url);
  direct.searchParams.delete("raw");
  direct.searchParams.set("dl", "1");
  return direct.href;
}

/**
 * Two generations of links live on. Since 2024 a link names drive and token (`1drv.ms/b/c/DRIVE/TOKEN`,
 * `onedrive.live.com/:b:/g/personal/DRIVE/TOKEN`) and is answered by SharePoint's download page; the shares API
 * wants a log-in for those (rclone, issue 7898). Older ones go through that API, encoded as it says
 * (learn.microsoft.com/graph/api/shares-get). `f` marks a folder.
 */
function fromOneDrive(url: URL): string | undefined {
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

/** Folder of a SharePoint link by its letter (learn.microsoft.com/sharepoint/dev/spfx/shorter-share-link-format). */
const sharePointFolders: Readonly<Record<string, string>> = {
  g: "/",
  s: "/sites/",
  t: "/teams/",
};

/**
 * `/:b:/g/personal/USER/TOKEN`. The download page takes the token itself (rclone, pull 5417); the better known
 * `download=1` may end at the log-in page for a client without cookies, so it is left for the other forms.
 */
function fromSharePoint(url: URL): string | undefined {
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
