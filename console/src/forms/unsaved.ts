/** What would be lost or interrupted: it is asked before, within the console and when the window closes. */
import { useLayoutEffect, useState } from "react";
import type { BlockerFunction } from "react-router";

const reasons = new Set<object>();
let isOver = false;

window.addEventListener("beforeunload", (event) => {
  if (isWarning()) event.preventDefault();
});

/** Whether something would be lost or interrupted now. */
export const isWarning = (): boolean => reasons.size > 0 && !isOver;

/** From now on, nothing is asked. */
export const endWarnings = (): void => {
  isOver = true;
};

/** @returns a function that switches it on and off; each reason has one of its own */
export function createCloseWarning(): (isOn: boolean) => void {
  const reason = {};
  return (isOn) => {
    if (isOn) reasons.add(reason);
    else reasons.delete(reason);
  };
}

const warn = createCloseWarning();
let pending = 0;

/** Asks as long as something isn't done. */
export async function warnWhilePending<T>(work: Promise<T>): Promise<T> {
  pending += 1;
  warn(true);
  try {
    return await work;
  } finally {
    pending -= 1;
    warn(pending > 0);
  }
}

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
