/** What was done, with the way back beside it. */
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "./problems.tsx";

const SHOWN_MS = 15_000;

/** A function that says what was done and offers to undo it. It says why that failed, also when the page is another one then. */
export function useOfferUndo() {
  const { t } = useTexts();
  const notifyProblem = useNotifyProblem();
  /**
   * @param stays until it is closed: more is to be read than in a moment
   * @returns the id of the notice
   */
  return (message: ReactNode, undo: () => Promise<unknown>, stays = false): string => {
    const id = notifications.show({
      autoClose: stays ? false : SHOWN_MS,
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
            {t("undo")}
          </Button>
        </Group>
      ),
    });
    return id;
  };
}
