/** The files of this window that describe books, and the one of them by which these are planned. */
import { readStored, writeStored } from "../lib/browser-storage.ts";
import { createStore, useStore } from "../lib/store.ts";
import type { Cell } from "./correct-csv.ts";
import { sortCatalogues } from "./file-kinds.ts";

export interface CatalogueFile {
  id: number;
  /** Its path, to which those in it are relative. */
  name: string;
  file: File;
}

export interface Catalogues {
  files: readonly CatalogueFile[];
  chosen: CatalogueFile | undefined;
  /** Whether columns of a spreadsheet that aren't known are left out. */
  ignoresColumns: boolean;
  cells: readonly Cell[];
  /** Whether columns have got names: those that are remembered are given once. */
  areNamed: boolean;
}

/** Of one of them. */
const UNCORRECTED = { ignoresColumns: false, cells: [], areNamed: false };
const NONE: Catalogues = { files: [], chosen: undefined, ...UNCORRECTED };

const catalogues = createStore(NONE);
const change = (part: Partial<Catalogues>): void => catalogues.write({ ...catalogues.read(), ...part });

/** A file of the same path replaces an earlier one. */
export function addCatalogues(added: readonly CatalogueFile[]): void {
  if (added.length === 0) return;
  const names = new Set(added.map(({ name }) => name));
  const files = sortCatalogues([...catalogues.read().files.filter(({ name }) => !names.has(name)), ...added]);
  change({ files, chosen: files[0], ...UNCORRECTED });
}

/** @param name undefined for none */
export const chooseCatalogue = (name: string | undefined): void =>
  change({ chosen: catalogues.read().files.find((file) => file.name === name), ...UNCORRECTED });

/** Columns that were named by hand are unknown again when they aren't to be left out. */
export const ignoreColumns = (ignoresColumns: boolean): void =>
  change({
    ignoresColumns,
    ...(!ignoresColumns && { cells: catalogues.read().cells.filter(({ line }) => line !== 1) }),
  });

const isSameCell = (one: Cell, other: Cell): boolean =>
  one.line === other.line && one.column === other.column;

export const correctCells = (corrected: readonly Cell[]): void =>
  change({
    cells: [
      ...catalogues.read().cells.filter((cell) => !corrected.some((each) => isSameCell(each, cell))),
      ...corrected,
    ],
  });

const REMEMBERED = "import-columns";

/** The names that somebody has given to columns; empty: they are left out. */
export function readRememberedColumns(): ReadonlyMap<string, string> {
  try {
    const stored: unknown = JSON.parse(readStored(REMEMBERED) ?? "[]");
    const entries = Array.isArray(stored) ? stored : [];
    return new Map(
      entries.flatMap((entry) => (Array.isArray(entry) ? [[String(entry[0]), String(entry[1])]] : [])),
    );
  } catch {
    return new Map();
  }
}

/** Gives columns of the chosen spreadsheet names, and leaves out the others. @param names empty: it is left out */
export function nameColumns(names: ReadonlyMap<string, string>): void {
  const given = [...names].filter(([, value]) => value !== "");
  correctCells(given.map(([column, value]) => ({ line: 1, column, value })));
  change({ ignoresColumns: true, areNamed: true });
  writeStored(REMEMBERED, JSON.stringify([...readRememberedColumns(), ...names]));
}

export const forgetCatalogues = (): void => change(NONE);

export const readCatalogues = (): Catalogues => catalogues.read();

export const useCatalogues = (): Catalogues => useStore(catalogues);
