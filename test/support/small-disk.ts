/** A disk of its own that can be filled and emptied again: a tmpfs, which only root may mount. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createTempFolder } from "./temp-folder.ts";

const PIECE = Buffer.alloc(4096);

export interface SmallDisk {
  path: string;
  /** To the last page. */
  fill(): void;
  empty(): void;
}

/** @returns undefined where none can be mounted */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  const path = join(createTempFolder(), "disk");
  mkdirSync(path);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", ["-l", path]));
  const ballast = join(path, "ballast");
  return {
    path,
    fill() {
      try {
        for (;;) appendFileSync(ballast, PIECE);
      } catch {
        // Nothing more fits.
      }
    },
    empty: () => rmSync(ballast, { force: true }),
  };
}
