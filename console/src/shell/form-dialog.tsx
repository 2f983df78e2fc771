/** A form in a dialog: its fields, the way back and the way on. */
import { Button, Group, Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  /** Wider where fields stand beside each other. */
  size?: "md" | "xl";
  /** Whether only a button of its content closes it. */
  isLocked?: boolean;
  close(): void;
  children: ReactNode;
}

/** What it contains begins anew each time that it opens. */
export function FormDialog(props: FormDialogProps) {
  const { title, isOpen, size = "md", isLocked = false, close, children } = props;
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={title}
      size={size}
      withCloseButton={!isLocked}
      // A slip of the pointer would lose what was typed.
      closeOnClickOutside={false}
      closeOnEscape={!isLocked}
    >
      {children}
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
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {children}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            {t.cancel}
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
