/** The logo of the library, and the way to another one. */
import { Group, Image, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { warnWhilePending } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Note } from "../ui/note.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { addressOf, removeLogo, sendLogo } from "./queries.ts";

/** The images of which the service makes logos. */
const LOGO_TYPES = "image/jpeg,image/png,image/webp,image/gif";

type Logo = Schemas["LibraryLogo"];

export function LogoSection({ logo }: { logo: Logo | null }) {
  const { t } = useTexts("library");
  const notifyProblem = useNotifyProblem();
  const { mutateAsync, isPending } = useChange(sendLogo, "library");
  const take = ([file]: readonly File[]) => {
    if (!file) return;
    const saySaved = () => notifications.show({ message: t("saved") });
    void warnWhilePending(mutateAsync(file)).then(saySaved, notifyProblem);
  };
  return (
    <>
      {logo === null ? (
        <Text>{t("library.noLogo")}</Text>
      ) : (
        <Image
          src={addressOf(logo)}
          alt={t("library.logo")}
          w="auto"
          maw="100%"
          mah={96}
          fit="contain"
          me="auto"
        />
      )}
      <Group gap="xs">
        <FileButton take={take} accept={LOGO_TYPES} loading={isPending}>
          {t("library.chooseLogo")}
        </FileButton>
        {logo !== null && <RemoveLogoButton />}
      </Group>
      <Note>{t("library.logoHint")}</Note>
    </>
  );
}

function RemoveLogoButton() {
  const { t } = useTexts("library");
  const remove = useChange(removeLogo, "library");
  return (
    <ConfirmButton
      label={t("library.removeLogo")}
      hint={t("library.removeLogoHint")}
      action={t("remove")}
      run={() => remove.mutateAsync(undefined)}
      done={t("library.logoRemoved")}
    />
  );
}
