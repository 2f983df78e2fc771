/** How far a long work is, for whoever watches. */

export interface Progress {
  /** @param done asked from time to time until the next `begin` or `end` */
  begin(doing: string, total: number, done: () => number): void;
  end(): void;
}

/** For nobody. */
export const silent: Progress = { begin() {}, end() {} };
