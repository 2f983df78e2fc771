/** A form in a dialog: its fields, the way back and the way on. */
import { Button, Group, Stack } from "@mantine/core";
import { createContext, type FormEventHandler, type ReactNode, use, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { askToLeave } from "./leave-question.tsx";
import { useUnsaved } from "./unsaved.ts";

export interface FormDialogProps {
  title: string;
  isOpen: boolean;
  /** Wider where fields stand beside each other. */
  size?: "md" | "xl";
  /** Whether only a button of its content closes it. */
  isLocked?: boolean;
  close(): void;
  children: ReactNode;
}

/** Whether something was typed in the form of a dialog, and what says so. */
const Typed = createContext<[isTyped: boolean, say: () => void]>([false, () => undefined]);

const leaveForm = (isTyped: boolean, close: () => void) => (isTyped ? askToLeave({ leave: close }) : close());

/** What it contains begins anew each time that it opens. */
export function FormDialog(props: FormDialogProps) {
  const { title, isOpen, size = "md", isLocked = false, close, children } = props;
  const [isTyped, setTyped] = useState(false);
  if (isTyped && !isOpen) setTyped(false);
  useUnsaved(isTyped && isOpen);
  return (
    <Dialog
      opened={isOpen}
      onClose={() => leaveForm(isTyped, close)}
      title={title}
      size={size}
      withCloseButton={!isLocked}
      // A slip of the pointer would lose what was typed.
      closeOnClickOutside={false}
      closeOnEscape={!isLocked}
    >
      <Typed value={[isTyped, () => setTyped(true)]}>{children}</Typed>
    </Dialog>
  );
}

interface DialogFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  close(): void;
  /** The label of the button that submits. */
  action: string;
  isPending: boolean;
  isDangerous?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

export function DialogForm(props: DialogFormProps) {
  const { onSubmit, close, action, isPending, isDangerous = false, isDisabled = false, children } = props;
  const { t } = useTexts();
  const [isTyped, sayTyped] = use(Typed);
  return (
    // What is typed to confirm something is no loss.
    <form onSubmit={onSubmit} onInput={isDangerous ? undefined : sayTyped}>
      <Stack>
        {children}
        <Group justify="end">
          <Button variant="default" onClick={() => leaveForm(isTyped, close)}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={isDisabled}
            {...(isDangerous ? { color: "red" } : { "data-save": true })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
