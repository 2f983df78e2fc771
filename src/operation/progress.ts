/** The progress that backup, move and transfer report. */

export interface Progress {
  /** @param done called periodically until the next `begin` or `end` */
  begin(doing: string, total: number, done: () => number): void;
  end(): void;
}

/** Reports nothing. */
export const silent: Progress = { begin() {}, end() {} };
