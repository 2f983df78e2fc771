/** What was done, with the way back beside it. */
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "./problems.tsx";

const SHOWN_MS = 15_000;

/** A function that says what was done and offers to undo it. It says why that failed, also when the page is another one then. */
export function useOfferUndo(): (message: string, undo: () => Promise<unknown>) => void {
  const { t } = useTexts();
  const notifyProblem = useNotifyProblem();
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
              undo().catch(notifyProblem);
            }}
          >
            {t.undo}
          </Button>
        </Group>
      ),
    });
  };
}
