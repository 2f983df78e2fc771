/** Beside the page Import in the navigation: how many imports the service is running. */
import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../messages/index.tsx";
import { badgeMessages } from "./badge-messages.ts";
import { importsQuery, isRunning } from "./queries.ts";

export function RunningBadge() {
  const { t, formatNumber } = useTexts(badgeMessages);
  const { data } = useQuery(importsQuery);
  const running = data?.imports.filter(isRunning).length ?? 0;
  if (running === 0) return null;
  const text = t.runningImports(running);
  return (
    <Badge color="blue.9" role="img" aria-label={text} title={text}>
      {formatNumber(running)}
    </Badge>
  );
}
