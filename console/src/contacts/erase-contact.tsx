/** Erasure: what it deletes, and the address that has to be typed. */
import { Button, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { contactsMessages } from "./messages.ts";
import { useErasure } from "./queries.ts";

type Contact = Schemas["Contact"];

export function EraseContactButton({ contact }: { contact: Contact }) {
  const { t } = useTexts(contactsMessages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button color="red" variant="outline" onClick={open}>
        {t.erasure.erase}
      </Button>
      <FormDialog title={t.erasure.erase} isOpen={isOpen} close={close}>
        <ErasureForm contact={contact} close={close} />
      </FormDialog>
    </>
  );
}

function ErasureForm({ contact, close }: { contact: Contact; close(): void }) {
  const { t } = useTexts(contactsMessages);
  const go = useNavigate();
  const notifyProblem = useNotifyProblem();
  const [typed, setTyped] = useState("");
  const erasure = useErasure();
  const submit = () =>
    erasure.mutate(contact.id, {
      onSuccess() {
        notifications.show({ message: t.erasure.done });
        go("/contacts");
      },
      onError: notifyProblem,
    });
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      close={close}
      action={t.erasure.erase}
      isPending={erasure.isPending}
      isDangerous
      isDisabled={typed.trim().toLowerCase() !== contact.email}
    >
      <Text>{t.erasure.hint}</Text>
      <TextInput
        label={t.erasure.confirm(contact.email)}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        dir="ltr"
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
