/** The files of this window that describe books, and the one of them by which these are planned. */
import { createStore, useStore } from "../shell/store.ts";
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
}

const NONE: Catalogues = { files: [], chosen: undefined, ignoresColumns: false };

const catalogues = createStore(NONE);
const change = (part: Partial<Catalogues>): void => catalogues.write({ ...catalogues.read(), ...part });

/** A file of the same path replaces an earlier one. */
export function addCatalogues(added: readonly CatalogueFile[]): void {
  if (added.length === 0) return;
  const names = new Set(added.map(({ name }) => name));
  const files = sortCatalogues([...catalogues.read().files.filter(({ name }) => !names.has(name)), ...added]);
  change({ files, chosen: files[0] });
}

/** @param name undefined for none */
export const chooseCatalogue = (name: string | undefined): void =>
  change({ chosen: catalogues.read().files.find((file) => file.name === name) });

export const ignoreColumns = (ignoresColumns: boolean): void => change({ ignoresColumns });

export const forgetCatalogues = (): void => change(NONE);

export const readCatalogues = (): Catalogues => catalogues.read();

export const useCatalogues = (): Catalogues => useStore(catalogues);
