/** The browser asks before a window closes in which something would be lost or interrupted. */

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
