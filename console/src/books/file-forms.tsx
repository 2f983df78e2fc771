/** The forms of one file of a book: its removal, and its link where it lies in a cloud. */
import { Anchor, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { ConfirmForm } from "../forms/confirm-form.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { useShowProblem } from "../ui/problems.tsx";
import { removeFile, updateFile, useBookChange } from "./queries.ts";

export interface FileFormProps {
  kind: "remove" | "link";
  bookId: string;
  file: Schemas["BookFile"];
  close(): void;
}

export default function FileForm({ kind, ...props }: FileFormProps) {
  return kind === "remove" ? <RemoveForm {...props} /> : <CloudLinkForm {...props} />;
}

type FormProps = Omit<FileFormProps, "kind">;

function RemoveForm({ bookId, file, close }: FormProps) {
  const { t } = useTexts("books");
  const remove = useBookChange(() => removeFile(bookId, file.id));
  return (
    <ConfirmForm
      hint={t("rows.removeHint")}
      action={t("remove")}
      run={() => remove.mutateAsync(undefined)}
      done={t("rows.removed")}
      close={close}
    />
  );
}

/** Seen, and put in its place where it doesn't lead to the file any more. */
function CloudLinkForm({ bookId, file, close }: FormProps) {
  const { t } = useTexts("books");
  const cloudUrl = file.cloudUrl ?? "";
  const form = useForm({ initialValues: { cloudUrl } });
  const showProblem = useShowProblem(form);
  const save = useBookChange((link: typeof form.values) => updateFile(bookId, file, link));
  const submit = form.onSubmit((link) =>
    save.mutate(link, {
      onSuccess() {
        notifications.show({ message: t("saved") });
        close();
      },
      onError: showProblem,
    }),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t("save")} isPending={save.isPending}>
      <TextInput
        type="url"
        label={t("link.field")}
        description={t("link.hint")}
        required
        maxLength={2048}
        dir="ltr"
        data-autofocus
        {...form.getInputProps("cloudUrl")}
      />
      <Anchor href={cloudUrl} target="_blank" rel="noreferrer" size="sm">
        {t("link.open")}
      </Anchor>
    </DialogForm>
  );
}
