/** Names of files and folders that are no books, in folders, drops and archives. */

/**
 * Names that file managers don't show, what was deleted from a disk, and files that programs leave: Word's locks,
 * thumbnails of Windows and of Synology.
 */
export const isHidden = (name: string): boolean =>
  /^(?:\.|~\$)|^(?:thumbs\.db|desktop\.ini|__MACOSX|@eaDir|\$RECYCLE\.BIN|RECYCLER|System Volume Information|lost\+found)$/i.test(
    name,
  );

/** Whether a part of a path with slashes has such a name. */
export const isHiddenPath = (path: string): boolean => path.split("/").some(isHidden);
