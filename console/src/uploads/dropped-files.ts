/** The files of a drop or a choice, with the folders in which they are. */
import { isHiddenPath } from "./hidden-names.ts";

export interface FoundFile {
  path: string;
  file: File;
}

/** What was chosen in a dialog; of a folder, with its path. */
export const readChosenFiles = (files: readonly File[]): FoundFile[] =>
  files
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !isHiddenPath(path));

interface DroppedFiles {
  files: FoundFile[];
  /** The paths of files and folders that can't be read. */
  unreadable: string[];
}

/** What was dropped, with what is in its folders. Folders are read while others are shown: there can be thousands. */
export async function readDroppedFiles(items: DataTransferItemList): Promise<DroppedFiles> {
  // The list is emptied when the event is over.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const dropped: DroppedFiles = { files: [], unreadable: [] };
  for (const entry of entries) await readEntry(entry, dropped);
  return dropped;
}

/** One that can't be read doesn't keep the others from being taken. */
async function readEntry(entry: FileSystemEntry, dropped: DroppedFiles): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isHiddenPath(path)) return;
  let children: FileSystemEntry[] = [];
  try {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      dropped.files.push({ path, file });
    } else if (isFolder(entry)) children = await readFolder(entry);
  } catch {
    dropped.unreadable.push(path);
  }
  for (const child of children) await readEntry(child, dropped);
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader returns a hundred entries at a time. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
