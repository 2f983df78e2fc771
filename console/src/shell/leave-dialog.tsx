/** Asks before what isn't saved is lost, within the console and when the window closes. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useBlocker } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { IN_PAGE } from "./form-dialog.tsx";

/** While there is something to lose, the browser asks before the window closes. */
function useCloseWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
}

/** Within a page, for example to another filter, nothing is lost. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { t } = useTexts();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useCloseWarning(isDirty);
  return (
    <Modal
      opened={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t.leave.leave}
      portalProps={IN_PAGE}
    >
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
    </Modal>
  );
}
