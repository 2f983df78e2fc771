/** Formats sizes for the operator. */

const MEBIBYTE = 1024 * 1024;

export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
