/** Erasure: what it deletes, and the address that has to be typed. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useErasure } from "./queries.ts";

type Contact = Schemas["Contact"];

export function EraseContactButton({ contact }: { contact: Contact }) {
  const { t } = useTexts("contacts");
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button color="red" variant="outline" onClick={open}>
        {t("erasure.erase")}
      </Button>
      <FormDialog title={t("erasure.erase")} isOpen={isOpen} close={close}>
        <ErasureForm contact={contact} close={close} />
      </FormDialog>
    </>
  );
}

function ErasureForm({ contact, close }: { contact: Contact; close(): void }) {
  const { t } = useTexts("contacts");
  const go = useNavigate();
  const erasure = useErasure();
  const erase = async () => {
    await erasure.mutateAsync(contact.id);
    // Not to the list as it was: its search may name who is erased.
    await go("/contacts");
  };
  return (
    <ConfirmForm
      hint={t("erasure.hint")}
      action={t("erasure.erase")}
      typed={{ label: t("erasure.confirm", { email: contact.email }), value: contact.email, dir: "ltr" }}
      run={erase}
      done={t("erasure.done")}
      close={close}
    />
  );
}
