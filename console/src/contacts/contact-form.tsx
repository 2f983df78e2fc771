/** The fields of a contact that can be corrected. */
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, type Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import classes from "../shell/fields.module.css";
import { joinChanges } from "../shell/join-changes.ts";
import { useShowProblem } from "../shell/problems.tsx";
import { contactsMessages } from "./messages.ts";
import { contactQuery, updateContact, useContactChange } from "./queries.ts";

type Contact = Schemas["Contact"];

const readFields = ({ firstName, lastName, phone, country }: Contact) => ({
  firstName,
  lastName,
  phone,
  country,
});

type Fields = ReturnType<typeof readFields>;

/** Only what differs from the contact. */
const findChanges = (contact: Contact, fields: Fields): Schemas["ContactUpdate"] => ({
  ...(fields.firstName !== contact.firstName && { firstName: fields.firstName }),
  ...(fields.lastName !== contact.lastName && { lastName: fields.lastName }),
  ...(fields.phone !== contact.phone && { phone: fields.phone }),
  ...(fields.country !== contact.country && { country: fields.country }),
});

export function ContactForm({ contact, canEdit }: { contact: Contact; canEdit: boolean }) {
  const { t } = useTexts(contactsMessages);
  // The state that the fields are compared with: a refresh in the background must not change it under what is typed.
  const [base, setBase] = useState(contact);
  const [isChangedMeanwhile, setChangedMeanwhile] = useState(false);
  const form = useForm<Fields>({ initialValues: readFields(contact) });
  const showProblem = useShowProblem(form);
  const join = useJoinMeanwhile();
  const save = useContactChange((fields: Fields) =>
    updateContact(base.id, base.version, findChanges(base, fields)),
  );
  const restart = (saved: Contact, values: Fields) => {
    setBase(saved);
    form.setInitialValues(readFields(saved));
    form.setValues(values);
  };
  const submit = form.onSubmit((fields) =>
    save.mutate(fields, {
      onSuccess({ contact: saved }) {
        restart(saved, readFields(saved));
        setChangedMeanwhile(false);
        notifications.show({ message: t.saved });
      },
      async onError(error) {
        const joined = await join(error, base, fields);
        if (joined === undefined) return showProblem(error);
        restart(joined.saved, joined.values);
        setChangedMeanwhile(true);
        for (const name of joined.conflicts) form.setFieldError(name, t.contact.theirs(joined.saved[name]));
      },
    }),
  );
  const text = (name: keyof Fields) => ({
    readOnly: !canEdit,
    dir: "auto" as const,
    label: t.contact[name],
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit} aria-label={t.contact.details}>
      <Stack>
        {isChangedMeanwhile && (
          <Alert color="orange" role="alert" title={t.contact.changedMeanwhile}>
            {t.contact.changedMeanwhileHint}
          </Alert>
        )}
        <div className={classes.fields}>
          <TextInput {...text("firstName")} />
          <TextInput {...text("lastName")} />
          <TextInput {...text("phone")} dir="ltr" />
          <TextInput {...text("country")} />
        </div>
        {canEdit && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** A function that reads what another user saved meanwhile; undefined if that isn't the reason of an error. */
function useJoinMeanwhile() {
  const queries = useQueryClient();
  return async (error: unknown, base: Contact, typed: Fields) => {
    if (!(error instanceof Problem) || error.status !== 412) return undefined;
    const details = await queries
      .fetchQuery({ ...contactQuery(base.id), staleTime: 0 })
      .catch(() => undefined);
    if (details === undefined) return undefined;
    const saved = details.contact;
    return { saved, ...joinChanges(readFields(base), typed, readFields(saved)) };
  };
}
