/** The form of a record, in a dialog or on a page, which is saved for the version that it began with. */
import { Button, Group, Stack } from "@mantine/core";
import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { FormEventHandler, ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { type JoinedSaveOptions, type OnSaved, useJoinedSave } from "./joined-save.tsx";
import type { FormFields, Stored } from "./save-state.ts";
import { useUnsaved } from "./unsaved.ts";

interface RecordFormOptions<Entry, Fields extends FormFields>
  extends Pick<JoinedSaveOptions<Fields>, "labels" | "keys">,
    Pick<UseFormInput<Fields>, "validate"> {
  /** Undefined: it doesn't exist yet. */
  record: Entry;
  fieldsOf(record: Entry): Fields;
  /** Reads the record as it is now. */
  read(): Promise<Entry | undefined>;
  /** @throws Problem with 412 if the record isn't in that version any more */
  save(fields: Fields, before: Stored<Fields>): Promise<Entry>;
  /** Closes the dialog of the form once it is saved. */
  close?(): void;
}

export function useRecordForm<Entry extends { version: string } | undefined, Fields extends FormFields>(
  options: RecordFormOptions<Entry, Fields>,
) {
  const { record, fieldsOf, labels, keys, validate, read, save, close } = options;
  const { t } = useTexts();
  const storedOf = (now: Entry) => ({ version: now?.version, fields: fieldsOf(now) });
  const form = useForm<Fields>({ initialValues: fieldsOf(record), ...(validate && { validate }) });
  const saving = useJoinedSave({
    form,
    stored: storedOf(record),
    labels,
    keys,
    async read() {
      const now = await read();
      return now && storedOf(now);
    },
    save: async (fields, before) => storedOf(await save(fields, before)),
  });
  const onSaved: OnSaved = (isAll) => {
    notifications.show({ message: t("saved") });
    if (isAll) close?.();
  };
  return {
    form,
    saving,
    submit: form.onSubmit((fields) => saving.store(fields, onSaved)),
    isPending: saving.isPending,
    /** Above the fields. */
    notice: saving.notice(onSaved),
  };
}

interface PageFormProps<Fields> {
  form: UseFormReturnType<Fields>;
  submit: FormEventHandler<HTMLFormElement>;
  label: string;
  /** The label of the button that submits. */
  action: string;
  isPending: boolean;
  /** Beside that button. */
  further?: ReactNode;
  children: ReactNode;
}

/** In a page. There is something to save once something is changed. */
export function PageForm<Fields>(props: PageFormProps<Fields>) {
  const { form, submit, label, action, isPending, further, children } = props;
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  return (
    <form onSubmit={submit} aria-label={label}>
      <Stack>
        {children}
        <Group>
          <Button type="submit" loading={isPending} disabled={!isDirty} data-save>
            {action}
          </Button>
          {further}
        </Group>
      </Stack>
    </form>
  );
}
