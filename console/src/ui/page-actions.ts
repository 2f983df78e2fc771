/** What can be done on the page that is shown, for the palette. */
import { useEffect, useRef } from "react";

interface PageAction {
  label: string;
  run(): void;
}

const shown = new Set<{ readonly current: readonly PageAction[] }>();

/** Offers actions for as long as the component is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    shown.add(latest);
    return () => {
      shown.delete(latest);
    };
  }, []);
}

export const listPageActions = (): PageAction[] => [...shown].flatMap(({ current }) => current);
