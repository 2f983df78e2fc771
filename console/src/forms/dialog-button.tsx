/** Buttons that open a dialog: with a form, also of a new record, or with the question before what can't be undone. */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { usePageRequest } from "../ui/page-request.ts";
import { ConfirmForm, type ConfirmFormProps } from "./confirm-form.tsx";
import { FormDialog, type FormDialogProps } from "./form-dialog.tsx";

interface DialogButtonProps extends Omit<ButtonProps, "children"> {
  label: string;
  /** What tells it from the same button of other rows. */
  name?: string;
  /** Of the dialog; without it, the button's name. */
  title?: string;
  dialog?: Pick<FormDialogProps, "size">;
  children(close: () => void): ReactNode;
}

export function DialogButton({ label, name, title, dialog, children, ...look }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" {...look} onClick={open} aria-label={name}>
        {label}
      </Button>
      <FormDialog title={title ?? name ?? label} isOpen={isOpen} close={close} {...dialog}>
        {children(close)}
      </FormDialog>
    </>
  );
}

/** For a new record, which a link to the page can ask for, too. */
export function AddButton({ label, children }: Pick<DialogButtonProps, "label" | "children">) {
  const [isOpen, { open, close }] = useDisclosure(false);
  usePageRequest("add", open);
  return (
    <>
      <Button onClick={open}>{label}</Button>
      <FormDialog title={label} isOpen={isOpen} close={close}>
        {children(close)}
      </FormDialog>
    </>
  );
}

type ConfirmButtonProps = Omit<DialogButtonProps, "children"> &
  Partial<Pick<ConfirmFormProps, "action">> &
  Omit<ConfirmFormProps, "close" | "action">;

/** The button of the dialog has the same label unless it has its own `action`. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { hint, isReady, action = props.label, typed, run, done, ...button } = props;
  return (
    <DialogButton variant="subtle" color="red" {...button}>
      {(close) => <ConfirmForm {...{ hint, isReady, action, typed, run, done, close }} />}
    </DialogButton>
  );
}
