/** Asks before what isn't saved is lost, within the console and when the window closes. */
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { createCloseWarning } from "./close-warning.ts";
import { askToLeave } from "./leave-question.tsx";

export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const [warn] = useState(createCloseWarning);
  useEffect(() => {
    warn(isDirty);
    return () => warn(false);
  }, [warn, isDirty]);
  // The router asks only one: that of a dialog that is open, and not that of the page behind it.
  return isDirty && <Blocker />;
}

/** Within a page, for example to another filter, nothing is lost. */
function Blocker() {
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (state === "blocked") askToLeave({ leave: proceed, stay: reset });
  }, [state, proceed, reset]);
  return null;
}
