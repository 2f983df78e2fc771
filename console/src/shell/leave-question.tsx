/** The question before what isn't saved is lost. There is one at a time, over everything else. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "./dialog.tsx";
import { createStore, useStore } from "./store.ts";

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

export function LeaveQuestion() {
  const { t } = useTexts();
  const question = useStore(asked);
  const answer = (decide: (() => void) | undefined) => {
    asked.write(undefined);
    decide?.();
  };
  const stay = () => answer(question?.stay);
  return (
    <Dialog opened={question !== undefined} onClose={stay} title={t.leave.leave} zIndex={OVER_FORMS}>
      <Stack>
        <Text>{question?.text ?? t.leave.unsaved}</Text>
        <Group justify="end">
          <Button variant="default" onClick={stay} data-autofocus>
            {t.leave.stay}
          </Button>
          <Button color="red" onClick={() => answer(question?.leave)}>
            {t.leave.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
