/** Beside the page Import in the navigation: how many imports the service is running. */
import { Badge } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTexts } from "../messages/index.tsx";
import { importsQuery, isRunning } from "./queries.ts";

export function RunningBadge() {
  const { t, formatNumber } = useTexts();
  const { data } = useQuery(importsQuery);
  const running = data?.imports.filter(isRunning).length ?? 0;
  useRefreshedLibrary(running);
  if (running === 0) return null;
  const text = t("runningImports", { count: running });
  return (
    <Badge color="blue.9" role="img" aria-label={text} title={text}>
      {formatNumber(running)}
    </Badge>
  );
}

/** What was read of the library is outdated when an import, or its undo, has ended, whichever page is shown. */
function useRefreshedLibrary(running: number): void {
  const queries = useQueryClient();
  const before = useRef(running);
  useEffect(() => {
    if (running < before.current)
      for (const queryKey of [["books"], ["publications"], ["languages"], ["import plan"]])
        void queries.invalidateQueries({ queryKey });
    before.current = running;
  }, [running, queries]);
}
