/** The link of a file that lies in a cloud: seen, and put in its place where it doesn't lead to the file any more. */
import { Anchor, Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useShowProblem } from "../shell/problems.tsx";
import { languageMessages } from "./language-messages.ts";
import { updateFile, useBookChange } from "./queries.ts";

interface CloudLinkProps {
  bookId: string;
  file: Schemas["BookFile"];
  cloudUrl: string;
}

export function CloudLinkButton(props: CloudLinkProps) {
  const { t } = useTexts(languageMessages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const title = t.link.of(props.file.fileName);
  return (
    <>
      <Button size="compact-xs" variant="subtle" px={4} aria-label={title} onClick={open}>
        {t.link.short}
      </Button>
      <FormDialog title={title} isOpen={isOpen} close={close}>
        <CloudLinkForm {...props} close={close} />
      </FormDialog>
    </>
  );
}

function CloudLinkForm({ bookId, file, cloudUrl, close }: CloudLinkProps & { close(): void }) {
  const { t } = useTexts(languageMessages);
  const form = useForm({ initialValues: { cloudUrl } });
  const showProblem = useShowProblem(form);
  const save = useBookChange((link: typeof form.values) => updateFile(bookId, file, link));
  const submit = form.onSubmit((link) =>
    save.mutate(link, {
      onSuccess() {
        notifications.show({ message: t.saved });
        close();
      },
      onError: showProblem,
    }),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t.save} isPending={save.isPending}>
      <TextInput
        type="url"
        label={t.link.field}
        description={t.link.hint}
        required
        withAsterisk={false}
        maxLength={2048}
        dir="ltr"
        data-autofocus
        {...form.getInputProps("cloudUrl")}
      />
      <Anchor href={cloudUrl} target="_blank" rel="noreferrer" size="sm">
        {t.link.open}
      </Anchor>
    </DialogForm>
  );
}
