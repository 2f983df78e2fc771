/** The question before what isn't saved is lost. There is one at a time, over everything else. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "./dialog.tsx";
import { createStore, useStore } from "./store.ts";

interface Question {
  leave(): void;
  stay?(): void;
}

const asked = createStore<Question | undefined>(undefined);

export const askToLeave: (question: Question) => void = asked.write;

export function LeaveQuestion() {
  const { t } = useTexts();
  const question = useStore(asked);
  const answer = (decide: (() => void) | undefined) => {
    asked.write(undefined);
    decide?.();
  };
  const stay = () => answer(question?.stay);
  return (
    <Dialog opened={question !== undefined} onClose={stay} title={t.leave.leave}>
      <Stack>
        <Text>{t.leave.unsaved}</Text>
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
