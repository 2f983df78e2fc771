/** Asks before what can't be undone, in a dialog: what it does, and the button that does it. */
import { Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useFocusAfterwards } from "../ui/lost-focus.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import { DialogForm } from "./form-dialog.tsx";

export interface ConfirmFormProps {
  /** What it does. */
  hint: ReactNode;
  /** False while what it does isn't known yet. */
  isReady?: boolean;
  /** The label of the button. */
  action: string;
  /** What has to be typed before, where a slip would cost much. */
  typed?: { label: string; value: string; dir: "auto" | "ltr" };
  run(): Promise<unknown>;
  /** What is said afterwards. */
  done?: string;
  close(): void;
}

export function ConfirmForm(props: ConfirmFormProps) {
  const { hint, isReady = true, action, typed, run, done, close } = props;
  const notifyProblem = useNotifyProblem();
  const [text, setText] = useState("");
  useFocusAfterwards();
  // The row of a record, and this form with it, can be gone before callbacks of one call would be called.
  const confirm = useMutation({
    mutationFn: run,
    onSuccess() {
      if (done !== undefined) notifications.show({ message: done });
      close();
    },
    onError: notifyProblem,
  });
  const isTyped = !typed || [text.trim(), text.trim().toLowerCase()].includes(typed.value);
  const isDisabled = !isReady || !isTyped;
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) confirm.mutate();
      }}
      close={close}
      action={action}
      isPending={confirm.isPending}
      isDangerous
      isDisabled={isDisabled}
    >
      <Text component="div">{hint}</Text>
      {typed && (
        <TextInput
          label={typed.label}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          dir={typed.dir}
          autoComplete="off"
          data-autofocus
        />
      )}
    </DialogForm>
  );
}
