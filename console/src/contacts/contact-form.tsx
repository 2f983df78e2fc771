/** The fields of a contact that can be corrected. */
import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { PageForm, useRecordForm } from "../forms/record-form.tsx";
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
  const { form, submit, isPending, notice } = useContactForm(contact);
  const text = (name: keyof Fields) => ({
    dir: "auto" as const,
    label: t(`contact.${name}`),
    ...form.getInputProps(name),
  });
  return (
    <PageForm {...{ form, submit, isPending }} label={t("words.details")} action={t("save")}>
      {notice}
      <div className={classes.fields}>
        <TextInput
          {...text("email")}
          description={form.isDirty("email") && t("contact.emailHint")}
          dir="ltr"
          inputMode="email"
          autoComplete="off"
        />
        <TextInput {...text("firstName")} />
        <TextInput {...text("lastName")} />
        <TextInput {...text("phone")} dir="ltr" />
        <TextInput {...text("country")} />
      </div>
    </PageForm>
  );
}

function useContactForm(contact: Contact) {
  const { t } = useTexts("contacts");
  const queries = useQueryClient();
  return useRecordForm({
    record: contact,
    fieldsOf: readFields,
    labels: {
      email: t("contact.email"),
      firstName: t("contact.firstName"),
      lastName: t("contact.lastName"),
      phone: t("contact.phone"),
      country: t("contact.country"),
    },
    keys: ["contacts"],
    read: async () => (await queries.fetchQuery({ ...contactQuery(contact.id), staleTime: 0 })).contact,
    save: async (fields, { version, fields: before }) =>
      (await updateContact(contact.id, findChanges(fields, before), version)).contact,
  });
}
