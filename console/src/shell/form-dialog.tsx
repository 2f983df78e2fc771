/** A form in a dialog: its fields, the way back and the way on. */
import { Button, Group, Modal, Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  close(): void;
  children: ReactNode;
}

/** What it contains begins anew each time that it opens. */
export function FormDialog({ title, isOpen, close, children }: FormDialogProps) {
  const { t } = useTexts();
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": t.close }}>
      {children}
    </Modal>
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
            {...(isDangerous && { color: "red" })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
