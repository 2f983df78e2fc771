/** The question before what isn't saved is lost. There is one at a time, over everything else. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useBlocker } from "react-router";
import { createStore, useStore } from "../lib/store.ts";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { describeUnsaved, losesUnsaved } from "./unsaved.ts";

interface Question {
  /** What would be lost, where it isn't changes. */
  text?: string | undefined;
  leave(): void;
  stay?(): void;
}

const asked = createStore<Question | undefined>(undefined);

export const askToLeave: (question: Question) => void = asked.write;

/** Other dialogs are at 200, and that of a session that has ended is at 250. */
const OVER_FORMS = 225;

/**
 * That of a navigation that waits for the decision. One blocker serves all forms: of several, the router asks the last one,
 * so one that is added while another lets a navigation pass would hold it again.
 */
function useBlockedNavigation(): Question | undefined {
  const { state, proceed, reset } = useBlocker(losesUnsaved);
  return state === "blocked" ? { text: describeUnsaved(), leave: proceed, stay: reset } : undefined;
}

export function LeaveQuestion() {
  const { t } = useTexts();
  const other = useStore(asked);
  const question = useBlockedNavigation() ?? other;
  const answer = (decide: (() => void) | undefined) => {
    asked.write(undefined);
    decide?.();
  };
  const stay = () => answer(question?.stay);
  return (
    <Dialog opened={question !== undefined} onClose={stay} title={t("leave.leave")} zIndex={OVER_FORMS}>
      <Stack>
        <Text>{question?.text ?? t("leave.unsaved")}</Text>
        <Group justify="end">
          <Button variant="default" onClick={stay} data-autofocus>
            {t("leave.stay")}
          </Button>
          <Button color="red" onClick={() => answer(question?.leave)}>
            {t("leave.leave")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
