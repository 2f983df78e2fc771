/** The files of a drop or a choice, with the folders in which they are. */

export interface FoundFile {
  path: string;
  file: File;
}

/** Files that systems and programs leave in folders, which nobody means to upload. */
const isHidden = (path: string): boolean =>
  path.split("/").some((name) => name.startsWith(".") || name.startsWith("~$") || name === "Thumbs.db");

/** What was chosen in a dialog; of a folder, with its path. */
export const readChosenFiles = (files: readonly File[]): FoundFile[] =>
  files
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !isHidden(path));

/** What was dropped, with what is in its folders. Folders are read while others are shown: there can be thousands. */
export async function readDroppedFiles(items: DataTransferItemList): Promise<FoundFile[]> {
  // The list is emptied when the event is over.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: FoundFile[] = [];
  for (const entry of entries) await readEntry(entry, found);
  return found;
}

async function readEntry(entry: FileSystemEntry, found: FoundFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isHidden(path)) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path, file });
  } else if (isFolder(entry)) for (const child of await readFolder(entry)) await readEntry(child, found);
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
