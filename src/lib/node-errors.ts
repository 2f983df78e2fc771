/** Reads the codes of Node's errors, and the messages of any. */

/** The `code` of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The file or folder doesn't exist. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/** The result of work on a file or folder; undefined if that doesn't exist. */
export async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The user lacks the permission for this operation. */
export const isForbidden = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "");

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "operation not permitted"],
  ["EROFS", "the file system is read-only"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["ENOENT", "no such file or folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "too many symbolic links"],
  ["ENAMETOOLONG", "the name is too long"],
]);

/** Why the system denies access to a path, for an operator, who can fix it. Undefined for any other error. */
export const refusalOf = (error: unknown): string | undefined => REFUSALS.get(codeOf(error) ?? "");

/** The message of an error, also of one that is no `Error`. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a path can't be used, for an operator: in plain words where the system denies access to it. */
export const reasonOf = (error: unknown): string => refusalOf(error) ?? messageOf(error);
