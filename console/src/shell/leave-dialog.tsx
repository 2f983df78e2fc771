/** Asks before what isn't saved is lost, within the console and when the window closes. */
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { createCloseWarning } from "./close-warning.ts";
import { askToLeave } from "./leave-question.tsx";

interface LeaveDialogProps {
  isDirty: boolean;
  /** What would be lost, where it isn't changes. */
  text?: string;
}

export function LeaveDialog({ isDirty, text }: LeaveDialogProps) {
  const [warn] = useState(createCloseWarning);
  useEffect(() => {
    warn(isDirty);
    return () => warn(false);
  }, [warn, isDirty]);
  // The router asks only one: that of a dialog that is open, and not that of the page behind it.
  return isDirty && <Blocker text={text} />;
}

/** Within a page, for example to another filter, nothing is lost. */
function Blocker({ text }: { text: string | undefined }) {
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (state === "blocked") askToLeave({ text, leave: proceed, stay: reset });
  }, [state, text, proceed, reset]);
  return null;
}
