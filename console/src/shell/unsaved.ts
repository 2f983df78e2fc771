/** What isn't saved: it is asked before it is lost, within the console and when the window closes. */
import { useLayoutEffect, useState } from "react";
import type { BlockerFunction } from "react-router";
import { createCloseWarning } from "./close-warning.ts";

/** The text of each part of the page with something that isn't saved; undefined: changes. */
const unsaved = new Map<object, string | undefined>();

/** Registered with the change itself: a way back can follow a letter within a millisecond. @param text what would be lost */
export function useUnsaved(isDirty: boolean, text?: string): void {
  const [warn] = useState(createCloseWarning);
  useLayoutEffect(() => {
    if (!isDirty) return;
    unsaved.set(warn, text);
    warn(true);
    return () => {
      unsaved.delete(warn);
      warn(false);
    };
  }, [warn, isDirty, text]);
}

/** Within a page, for example to another filter, nothing is lost. */
export const losesUnsaved: BlockerFunction = ({ currentLocation, nextLocation }) =>
  unsaved.size > 0 && currentLocation.pathname !== nextLocation.pathname;

/** Of a dialog before that of the page behind it. */
export const describeUnsaved = (): string | undefined => [...unsaved.values()].at(-1);
