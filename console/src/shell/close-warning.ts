/** The browser asks before a window closes in which something would be lost or interrupted. */

/** @returns a function that switches it on and off; each reason has one of its own */
export function createCloseWarning(): (isOn: boolean) => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  return (isOn) => {
    if (isOn) window.addEventListener("beforeunload", ask);
    else window.removeEventListener("beforeunload", ask);
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
