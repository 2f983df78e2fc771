/** What opens a file on the reader's kind of device. Names of programs are the same in all languages. */
import type { FileType } from "../schemas/file-types.ts";

type Device = "apple" | "mac" | "android" | "windows" | "other";

/** By what browsers say of their system. An iPad can call itself a Mac: its programs have the same names. */
function findDevice(userAgent: string): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "apple";
  if (/Macintosh/.test(userAgent)) return "mac";
  if (/Android/.test(userAgent)) return "android";
  return /Windows/.test(userAgent) ? "windows" : "other";
}

type Kind = "ebook" | "kindle" | "comic" | "scan" | "zip" | "simple";

const KINDS: Readonly<Partial<Record<FileType, Kind>>> = {
  epub: "ebook",
  kepub: "ebook",
  fb2: "ebook",
  mobi: "kindle",
  azw3: "kindle",
  cbz: "comic",
  djvu: "scan",
  zip: "zip",
};

const APPS: Readonly<Record<Exclude<Kind, "simple">, Readonly<Record<Device, string>>>> = {
  ebook: {
    apple: "Apple Books",
    mac: "Apple Books",
    android: "Moon+ Reader, Librera",
    windows: "Thorium Reader, calibre",
    other: "Thorium Reader, calibre",
  },
  kindle: {
    apple: "Kindle",
    mac: "Kindle, calibre",
    android: "Kindle",
    windows: "Kindle, calibre",
    other: "calibre",
  },
  comic: {
    apple: "Panels",
    mac: "YACReader, calibre",
    android: "Librera",
    windows: "YACReader, calibre",
    other: "YACReader, calibre",
  },
  scan: {
    apple: "DjVu Reader",
    mac: "DjView",
    android: "Librera",
    windows: "SumatraPDF",
    other: "Okular, DjView",
  },
  zip: {
    apple: "Files",
    mac: "Finder",
    android: "Files by Google",
    windows: "Windows Explorer",
    other: "7-Zip",
  },
};

const TEXTS = {
  ebook: "openWith",
  comic: "openWith",
  scan: "openWith",
  kindle: "openKindle",
  zip: "openZip",
} as const;

/** The name of the sentence that says how a file is opened, and the programs in it. */
export function findReadingApps(
  fileType: FileType,
  userAgent: string,
): { text: "openWith" | "openKindle" | "openZip" | "openAnywhere"; apps: string } {
  const kind = KINDS[fileType] ?? "simple";
  if (kind === "simple") return { text: "openAnywhere", apps: "" };
  return { text: TEXTS[kind], apps: APPS[kind][findDevice(userAgent)] };
}
