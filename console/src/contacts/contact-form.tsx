/** The fields of a contact that can be corrected. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { useJoinedSave } from "../forms/joined-save.tsx";
import { useUnsaved } from "../forms/unsaved.ts";
import classes from "../lists/fields.module.css";
import { useTexts } from "../messages/index.tsx";
import { contactQuery, updateContact } from "./queries.ts";

type Contact = Schemas["Contact"];

const readFields = ({ email, firstName, lastName, phone, country }: Contact) => ({
  email,
  firstName,
  lastName,
  phone,
  country,
});

type Fields = ReturnType<typeof readFields>;

const readStored = (contact: Contact) => ({ version: contact.version, fields: readFields(contact) });

/** Only what was changed. */
const findChanges = (fields: Fields, before: Fields): Schemas["ContactUpdate"] => ({
  ...(fields.email !== before.email && { email: fields.email }),
  ...(fields.firstName !== before.firstName && { firstName: fields.firstName }),
  ...(fields.lastName !== before.lastName && { lastName: fields.lastName }),
  ...(fields.phone !== before.phone && { phone: fields.phone }),
  ...(fields.country !== before.country && { country: fields.country }),
});

export function ContactForm({ contact }: { contact: Contact }) {
  const { t } = useTexts("contacts");
  const form = useForm<Fields>({ initialValues: readFields(contact) });
  const { store, isPending, notice } = useSave(contact, form);
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  const saySaved = () => notifications.show({ message: t("saved") });
  const submit = form.onSubmit((fields) => store(fields, saySaved));
  const text = (name: keyof Fields) => ({
    dir: "auto" as const,
    label: t(`contact.${name}`),
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit} aria-label={t("contact.details")}>
      <Stack>
        {notice(saySaved)}
        <div className={classes.fields}>
          <TextInput {...text("email")} dir="ltr" inputMode="email" autoComplete="off" />
          <TextInput {...text("firstName")} />
          <TextInput {...text("lastName")} />
          <TextInput {...text("phone")} dir="ltr" />
          <TextInput {...text("country")} />
        </div>
        <Group>
          <Button type="submit" loading={isPending} disabled={!isDirty} data-save>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useSave(contact: Contact, form: UseFormReturnType<Fields>) {
  const { t } = useTexts("contacts");
  const queries = useQueryClient();
  return useJoinedSave({
    form,
    stored: readStored(contact),
    labels: {
      email: t("contact.email"),
      firstName: t("contact.firstName"),
      lastName: t("contact.lastName"),
      phone: t("contact.phone"),
      country: t("contact.country"),
    },
    keys: ["contacts"],
    async read() {
      const details = await queries.fetchQuery({ ...contactQuery(contact.id), staleTime: 0 });
      return readStored(details.contact);
    },
    async save(fields, { version, fields: before }) {
      const saved = await updateContact(contact.id, findChanges(fields, before), version);
      return readStored(saved.contact);
    },
  });
}
