/** Sizes in messages. */

const MEBIBYTE = 1024 * 1024;

/** `12.3 MiB` */
export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
