/** What was done, with the way back beside it. */
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTexts } from "../messages/index.tsx";

const SHOWN_MS = 15_000;

/** A function that says what was done and offers to undo it. */
export function useOfferUndo(): (message: string, undo: () => void) => void {
  const { t } = useTexts();
  return (message, undo) => {
    const id = notifications.show({
      autoClose: SHOWN_MS,
      message: (
        <Group justify="space-between">
          {message}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              undo();
            }}
          >
            {t.undo}
          </Button>
        </Group>
      ),
    });
  };
}
