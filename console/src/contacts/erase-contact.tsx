/** Erasure: what it deletes, and the address that has to be typed. */
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { useErasure } from "./queries.ts";

export function EraseContactButton({ contact: { id, email } }: { contact: Schemas["Contact"] }) {
  const { t } = useTexts("contacts");
  const go = useNavigate();
  const erasure = useErasure();
  const erase = async () => {
    await erasure.mutateAsync(id);
    // Not to the list as it was: its search may name who is erased.
    await go("/contacts");
  };
  return (
    <ConfirmButton
      variant="outline"
      label={t("erasure.erase")}
      hint={t("erasure.hint")}
      action={t("erasure.erase")}
      typed={{ label: t("erasure.confirm", { email }), value: email, dir: "ltr" }}
      run={erase}
      done={t("erasure.done")}
    />
  );
}
