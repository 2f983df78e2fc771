/** Share links of each provider become the addresses that answer with the file. */
import { describe, expect, it } from "vitest";
import {
  type CloudSource,
  checkCloudLink,
  checkCloudUrl,
  findDirectDownloadUrl,
} from "../../src/lib/cloud-links.ts";

const id = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs";
const download = `https://drive.usercontent.google.com/download?export=download&confirm=t&id=${id}`;

describe("Google Drive", () => {
  it.each([
    `https://drive.google.com/file/d/${id}/view?usp=sharing`,
    `https://drive.google.com/file/d/${id}/preview`,
    `https://drive.google.com/file/d/${id}`,
    `https://drive.google.com/file/u/1/d/${id}/view`,
    `https://drive.google.com/u/0/file/d/${id}/edit`,
    `https://drive.google.com/u/2/open?id=${id}`,
    `https://drive.google.com/u/0/uc?id=${id}&export=download`,
    `https://drive.google.com/a/example.org/file/d/${id}/view`,
    `https://drive.google.com/open?id=${id}&usp=drive_copy`,
    `https://drive.google.com/uc?export=view&id=${id}`,
    `https://docs.google.com/uc?export=download&id=${id}`,
  ])("%s", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(download);
  });

  it("keeps the resource key of older files", () => {
    expect(findDirectDownloadUrl(`https://drive.google.com/file/d/${id}/view?resourcekey=0-x_Y`)).toBe(
      `${download}&resourcekey=0-x_Y`,
    );
  });

  it.each([
    `https://drive.google.com/drive/folders/${id}`,
    "https://drive.google.com/open",
    "https://drive.google.com/open?id=a%26b%3Dc",
    `https://drive.usercontent.google.com/download?id=${id}&export=download`,
    `https://docs.google.com/forms/d/${id}/edit`,
    "https://docs.google.com/document/d/e/2PACX-1vR/pub",
    `https://docs.google.com/document/d/${id}/export?format=docx`,
    "http://127.0.0.1:9000/file/d/1A/view",
  ])("%s stays unchanged", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(url);
  });
});

it.each([
  ["document/d/ID/edit?usp=sharing", undefined, "document/d/ID/export?format=pdf"],
  ["u/1/document/d/ID/edit", "epub", "document/d/ID/export?format=epub"],
  ["document/u/0/d/ID/edit", "epub", "document/d/ID/export?format=epub"],
  ["a/example.org/document/d/ID", "docx", "document/d/ID/export?format=docx"],
  ["document/d/ID/edit", "mobi", "document/d/ID/export?format=pdf"],
  ["presentation/d/ID/edit#slide=id.p", "epub", "presentation/d/ID/export?format=pdf"],
  ["spreadsheets/d/ID/edit", undefined, "spreadsheets/d/ID/export?format=pdf"],
])("Google documents %s as %s", (path, fileType, direct) => {
  const shared = `https://docs.google.com/${path.replace("ID", id)}`;
  expect(findDirectDownloadUrl(shared, fileType)).toBe(`https://docs.google.com/${direct.replace("ID", id)}`);
});

describe("Dropbox", () => {
  it.each([
    ["https://www.dropbox.com/s/a1b2/b.pdf?dl=0", "https://www.dropbox.com/s/a1b2/b.pdf?dl=1"],
    ["https://www.dropbox.com/s/a1b2/b.pdf", "https://www.dropbox.com/s/a1b2/b.pdf?dl=1"],
    [
      "https://www.dropbox.com/scl/fi/tok/b%20c.pdf?rlkey=k3y&e=1&st=abc&dl=0",
      "https://www.dropbox.com/scl/fi/tok/b%20c.pdf?rlkey=k3y&e=1&st=abc&dl=1",
    ],
    [
      "https://dropbox.com/scl/fi/tok/b.pdf?raw=1&rlkey=k3y",
      "https://dropbox.com/scl/fi/tok/b.pdf?rlkey=k3y&dl=1",
    ],
  ])("%s", (shared, direct) => {
    expect(findDirectDownloadUrl(shared)).toBe(direct);
  });

  it.each([
    "https://dl.dropboxusercontent.com/scl/fi/tok/b.pdf?rlkey=k3y",
    "https://www.dropbox.com/home/b.pdf",
    "https://paper.dropbox.com/doc/x",
  ])("%s stays unchanged", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(url);
  });
});

describe("OneDrive", () => {
  const drive = "4c1511b24254d525";
  const token = "IQBD5Da7pks6S5nf0LYmJcX-ARhEGcWCT7sKcr8M4vZPZDo";
  const page = `https://my.microsoftpersonalcontent.com/personal/${drive}/_layouts/15/download.aspx?share=${token}`;

  it.each([
    `https://1drv.ms/b/c/${drive}/${token}?e=aBc123`,
    `https://1drv.ms/u/c/${drive}/${token}`,
    `https://onedrive.live.com/:b:/g/personal/${drive}/${token}?e=x`,
  ])("a link with drive and token: %s", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(page);
  });

  // The first is Microsoft's own example: learn.microsoft.com/graph/api/shares-get, "Encoding sharing URLs".
  it.each([
    "https://onedrive.live.com/redir?resid=1231244193912!12&authKey=1201919!12921!1",
    "https://onedrive.live.com/?id=AB8%21140&cid=0AB8&authkey=!Ax",
    "https://onedrive.live.com/embed?cid=D3&resid=D3%211156&authkey=AN",
    "https://1drv.ms/b/s!AkCh-QtrC8VfZl1kzfziYZfreiM?e=7aLpVf",
    "https://1drv.ms/u/s!AjIxK6fZSqHTiH9qUVGUGPfick-_",
  ])("an older link is encoded for the shares API: %s", (url) => {
    const direct = findDirectDownloadUrl(url);
    const [, encoded = ""] =
      /^https:\/\/api\.onedrive\.com\/v1\.0\/shares\/u!([\w-]+)\/root\/content$/.exec(direct) ?? [];
    expect(Buffer.from(encoded, "base64url").toString()).toBe(url);
  });

  it.each([
    `https://1drv.ms/f/c/${drive}/${token}`,
    "https://1drv.ms/f/s!AkCh-QtrC8VfZl1kzfziYZfreiM",
    `https://onedrive.live.com/:f:/g/personal/${drive}/${token}`,
    "https://onedrive.live.com/download?cid=D3&resid=D3%211156&authkey=AN",
    "https://onedrive.live.com/",
    "https://1drv.ms/",
    page,
  ])("%s stays unchanged", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(url);
  });
});

describe("SharePoint", () => {
  const token = "EYaY5e7MKDhJiHDeVu0lnn0Bwu61mLSra5KvK33JxZa78A";

  it.each([
    [`org-my.sharepoint.com/:b:/g/personal/u_org/${token}?e=x`, "org-my.sharepoint.com/personal/u_org"],
    [`org.sharepoint.com/:u:/s/site/${token}`, "org.sharepoint.com/sites/site"],
    [`org.sharepoint.com/:w:/t/team/${token}`, "org.sharepoint.com/teams/team"],
    [`org.sharepoint.com/:x:/g/${token}`, "org.sharepoint.com"],
  ])("a share link: %s", (shared, folder) => {
    expect(findDirectDownloadUrl(`https://${shared}`)).toBe(
      `https://${folder}/_layouts/15/download.aspx?share=${token}`,
    );
  });

  it("requests a download from other addresses", () => {
    expect(findDirectDownloadUrl("https://org.sharepoint.com/:b:/r/sites/s/Documents/a.pdf?csf=1&e=x")).toBe(
      "https://org.sharepoint.com/:b:/r/sites/s/Documents/a.pdf?csf=1&e=x&download=1",
    );
  });

  it.each([
    `https://org.sharepoint.com/:f:/s/site/${token}`,
    `https://org.sharepoint.com/sites/s/_layouts/15/download.aspx?share=${token}`,
  ])("%s stays unchanged", (url) => {
    expect(findDirectDownloadUrl(url)).toBe(url);
  });
});

describe("any source", () => {
  const shared: [CloudSource, string][] = [
    ["google_drive", `https://drive.google.com/file/d/${id}/view`],
    ["google_drive", `https://docs.google.com/document/d/${id}/edit`],
    ["dropbox", "https://www.dropbox.com/scl/fi/tok/b.pdf?rlkey=k&dl=0"],
    ["onedrive", "https://1drv.ms/b/s!AkCh-QtrC8VfZl1kzfziYZfreiM"],
    ["onedrive", "https://1drv.ms/b/c/4c1511b24254d525/IQBD5Da7"],
    ["onedrive", "https://org.sharepoint.com/:b:/s/site/EYaY5e7"],
  ];

  it.each(shared)("%s: a direct address is an accepted link, and already direct (%s)", (source, url) => {
    const direct = findDirectDownloadUrl(url);
    expect(direct).not.toBe(url);
    expect(checkCloudUrl(direct, source)).toEqual({ ok: true, url: direct });
    expect(findDirectDownloadUrl(direct)).toBe(direct);
  });

  it.each(shared)(
    "%s is recognised by its address, regardless of the given source type (%s)",
    (source, url) => {
      for (const said of ["url", "google_drive", "dropbox", "onedrive"] as const) {
        expect(checkCloudLink(url, said, {})).toEqual({ ok: true, url, source });
      }
    },
  );

  it("keeps the given source type if the address is ambiguous", () => {
    const url = "https://files.example.org/a.pdf";
    expect(checkCloudLink(url, "url", {})).toEqual({ ok: true, url, source: "url" });
    const own = "http://minio.internal:9000/a";
    const allowHosts = ["minio.internal:9000"];
    expect(checkCloudLink(own, "dropbox", { allowHosts })).toEqual({ ok: true, url: own, source: "dropbox" });
  });

  it.each([
    `https://drive.google.com/drive/folders/${id}?usp=sharing`,
    `https://drive.google.com/drive/u/0/folders/${id}`,
    `https://drive.google.com/u/1/drive/folders/${id}`,
    `https://drive.google.com/a/example.org/drive/folders/${id}`,
    `https://drive.google.com/drive/mobile/folders/${id}`,
    "https://drive.google.com/drive/my-drive",
    `https://drive.google.com/folderview?id=${id}`,
    `https://drive.google.com/embeddedfolderview?id=${id}#list`,
    "https://www.dropbox.com/sh/a1b2/AABBcc?dl=0",
    "https://www.dropbox.com/scl/fo/a1b2/AABBcc?rlkey=k&dl=0",
    "https://dropbox.com/scl/fo/a1b2",
    "https://1drv.ms/f/s!AkCh-QtrC8VfZl1kzfziYZfreiM",
    "https://1drv.ms/f/c/4c1511b24254d525/IQBD5Da7",
    "https://onedrive.live.com/:f:/g/personal/4c1511b24254d525/IQBD5Da7",
    "https://org-my.sharepoint.com/:f:/g/personal/u/EYaY5e7",
  ])("rejects a folder: %s", (url) => {
    expect(checkCloudLink(url, "url", {})).toMatchObject({ ok: false, code: "cloud_link_is_a_folder" });
    expect(findDirectDownloadUrl(url)).toBe(url);
    // Where a fetch is redirected to is no link that somebody saves.
    expect(checkCloudUrl(url, "url").ok).toBe(true);
  });

  it.each([
    "https://www.dropbox.com/sh/a1b2/AABBcc/book.pdf?dl=0",
    "https://www.dropbox.com/scl/fo/a1b2/AABBcc/book.pdf?rlkey=k&dl=0",
    "https://files.example.org/drive/folders/1",
  ])("accepts a file in a folder, and other hosts' addresses: %s", (url) => {
    expect(checkCloudLink(url, "url", {}).ok).toBe(true);
  });

  it("returns a text that isn't a URL unchanged", () => {
    expect(findDirectDownloadUrl("not a url")).toBe("not a url");
  });
});
