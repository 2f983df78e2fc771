/** The kinds of book file that the service distributes, and where their bytes may live. */

export const FILE_TYPES = [
  "pdf",
  "epub",
  "mobi",
  "azw3",
  "kepub",
  "fb2",
  "djvu",
  "docx",
  "odt",
  "rtf",
  "txt",
  "html",
  "cbz",
  "mp3",
  "m4b",
  "zip",
] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The types whose files say something about their book. */
export const METADATA_TYPES = [
  "epub",
  "kepub",
  "pdf",
  "mobi",
  "azw3",
  "fb2",
  "docx",
  "odt",
  "html",
  "cbz",
  "mp3",
  "m4b",
] as const satisfies FileType[];
export type MetadataType = (typeof METADATA_TYPES)[number];

/** Undefined for a type whose files say nothing. */
export const asMetadataType = (fileType: FileType): MetadataType | undefined =>
  METADATA_TYPES.find((each) => each === fileType);

export const SOURCE_TYPES = ["local", "google_drive", "dropbox", "onedrive", "url"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/**
 * The media type for `Content-Type`: the registered one (IANA); for MOBI and FB2, which have none, the customary one.
 */
export const mediaTypeOf = (fileType: FileType): string => MEDIA_TYPES[fileType];

/** The ending of a file name, without its dot. A Kobo reader knows its own EPUBs by the double ending. */
export const extensionOf = (fileType: FileType): string => (fileType === "kepub" ? "kepub.epub" : fileType);

/** The type of a file name's extension, not case-sensitive; undefined if it isn't supported. */
export function findFileType(name: string): FileType | undefined {
  const lowerCased = name.toLowerCase();
  if (lowerCased.endsWith(".kepub.epub")) return "kepub";
  const ending = lowerCased.slice(lowerCased.lastIndexOf(".") + 1);
  if (ending.length === lowerCased.length) return undefined;
  return FILE_TYPES.find((fileType) => fileType === ending) ?? OTHER_ENDINGS.get(ending);
}

const MEDIA_TYPES: Readonly<Record<FileType, string>> = {
  pdf: "application/pdf",
  epub: "application/epub+zip",
  mobi: "application/x-mobipocket-ebook",
  azw3: "application/vnd.amazon.ebook",
  kepub: "application/epub+zip",
  fb2: "application/x-fictionbook+xml",
  djvu: "image/vnd.djvu",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  odt: "application/vnd.oasis.opendocument.text",
  rtf: "application/rtf",
  txt: "text/plain; charset=utf-8",
  html: "text/html; charset=utf-8",
  cbz: "application/vnd.comicbook+zip",
  mp3: "audio/mpeg",
  m4b: "audio/mp4",
  zip: "application/zip",
};

/** Every media type in which a file may be delivered. */
export const FILE_MEDIA_TYPES: readonly string[] = [...new Set(Object.values(MEDIA_TYPES))];

const OTHER_ENDINGS: ReadonlyMap<string, FileType> = new Map([
  ["azw", "mobi"],
  ["djv", "djvu"],
  ["htm", "html"],
  ["m4a", "m4b"],
  ["prc", "mobi"],
  ["text", "txt"],
  ["xhtml", "html"],
]);
