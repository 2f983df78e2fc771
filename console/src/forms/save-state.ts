/** What a form knows that is saved for the version of the record it began with. Nothing here knows the form or the page. */
import type { Problem } from "../api/client.ts";
import { adoptSent, isSame } from "./join-changes.ts";

/** What a field of such a form contains. */
export type FormFields = Record<string, FieldValue>;

export type FieldValue = string | number | boolean | readonly (string | Readonly<Record<string, string>>)[];

/** A record as its form shows it. */
export interface Stored<Fields> {
  /** Undefined: the record doesn't exist yet. */
  version: string | undefined;
  fields: Fields;
}

/** What someone else saved. */
export interface Theirs<Fields> extends Stored<Fields> {
  /** Who did, and when, where the service says so. */
  change: Problem["lastChange"];
}

export interface SaveState<Fields> {
  /** What was typed is compared with this: a refresh in the background must not change it. */
  before: Stored<Fields>;
  /** What someone else saved, while the user decides about it. */
  theirs: Theirs<Fields> | undefined;
  /** By an attempt whose outcome isn't known. */
  sent: Fields | undefined;
  /** The version that the page shows. */
  shown: string | undefined;
  /** Whether the page shows what it had read before the last save. */
  isOutdated: boolean;
  isStoring: boolean;
}

export type SaveEvent<Fields> =
  | { type: "began" }
  | { type: "ended" }
  /** An attempt whose response didn't come. */
  | { type: "lost"; fields: Fields }
  /** Someone else has changed the same record, and the user decides. */
  | { type: "asked"; before: Stored<Fields>; theirs: Theirs<Fields> }
  /** The form begins anew with what is stored. */
  | { type: "restarted"; now: Stored<Fields>; isSaved: boolean }
  /** The page shows a version. */
  | { type: "read"; version: string | undefined };

export const startSave = <Fields>(stored: Stored<Fields>): SaveState<Fields> => ({
  before: stored,
  theirs: undefined,
  sent: undefined,
  shown: stored.version,
  isOutdated: false,
  isStoring: false,
});

/** @returns the same object if nothing changes */
export function changeSave<Fields>(state: SaveState<Fields>, event: SaveEvent<Fields>): SaveState<Fields> {
  switch (event.type) {
    case "began":
      return { ...state, isStoring: true };
    case "ended":
      return state.isStoring ? { ...state, isStoring: false } : state;
    case "lost":
      return { ...state, sent: event.fields };
    case "asked":
      return { ...state, before: event.before, theirs: event.theirs };
    case "restarted": {
      const { now, isSaved } = event;
      const isOutdated = state.isOutdated || isSaved;
      return { ...state, before: now, theirs: undefined, sent: undefined, isOutdated };
    }
    case "read":
      if (state.shown === event.version) return state;
      return { ...state, shown: event.version, isOutdated: false };
  }
}

/** Whether the form takes over what the page has read. */
export const takesOver = (
  state: SaveState<unknown>,
  version: string | undefined,
  isDirty: boolean,
): boolean => version !== state.before.version && !state.isOutdated && !state.isStoring && !isDirty;

export const listDifferent = <Fields extends FormFields>(one: Fields, other: Fields): string[] =>
  Object.keys(one).filter((name) => !isSame(one[name], other[name]));

interface Rejected<Fields> {
  fields: Fields;
  /** For which they were to be saved. */
  from: Stored<Fields>;
  sent: Fields | undefined;
}

type Settlement<Fields> =
  /** An attempt before was saved, and only its response was lost. */
  | { type: "saved" }
  /** Others changed nothing that the form shows, or to the same. */
  | { type: "store"; fields: Fields }
  /** @property before what the form began with, and what of it was saved since */
  | { type: "ask"; before: Stored<Fields> };

/** What follows when a save was rejected, because the record is another one by now. */
export function settle<Fields extends FormFields>(
  { fields, from, sent }: Rejected<Fields>,
  { fields: now }: Stored<Fields>,
): Settlement<Fields> {
  const own = { before: from.fields, typed: fields };
  const { before, typed } = sent ? adoptSent(own, sent, now) : own;
  if (listDifferent(before, now).some((name) => !isSame(typed[name], now[name])))
    return { type: "ask", before: { ...from, fields: before } };
  return listDifferent(typed, now).length === 0 ? { type: "saved" } : { type: "store", fields: typed };
}
