/** Asks before what isn't saved is lost, within the console and when the window closes. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { createCloseWarning } from "./close-warning.ts";
import { Dialog } from "./dialog.tsx";

function useCloseWarning(isDirty: boolean): void {
  const [warn] = useState(createCloseWarning);
  useEffect(() => {
    warn(isDirty);
    return () => warn(false);
  }, [warn, isDirty]);
}

/** Within a page, for example to another filter, nothing is lost. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { t } = useTexts();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useCloseWarning(isDirty);
  return (
    <Dialog opened={blocker.state === "blocked"} onClose={() => blocker.reset?.()} title={t.leave.leave}>
      <Stack>
        <Text>{t.leave.unsaved}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
            {t.leave.stay}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {t.leave.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
