/** The form of a webhook: a new one, whose secret follows, or one that there is. */
import { Checkbox, Code, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { useNames } from "./names.ts";
import { createWebhook, EVENTS, isEvent, updateWebhook, type Webhook, webhooksQuery } from "./queries.ts";
import type { ShownSecret } from "./webhook-secret.tsx";

const readFields = (webhook: Webhook | undefined) => ({
  name: webhook?.name ?? "",
  url: webhook?.url ?? "",
  events: webhook?.events ?? [],
  includeContact: webhook?.includeContact ?? false,
  isActive: webhook?.isActive !== 0,
});

type Fields = ReturnType<typeof readFields>;

/** Without the permission for contacts, the service rejects a request that names the field. */
const writeFields = ({ includeContact, ...fields }: Fields, canInclude: boolean) => ({
  ...fields,
  events: fields.events.filter(isEvent),
  ...(canInclude && { includeContact }),
});

interface WebhookFormProps {
  webhook?: Webhook;
  close(): void;
  /** Takes the secret of a new one, which can't be read again. */
  show?(secret: ShownSecret): void;
}

function useWebhookForm({ webhook, show, close }: WebhookFormProps, canInclude: boolean) {
  const { t } = useTexts("webhooks");
  const queries = useQueryClient();
  // A new one has an id once it is saved, also if the form stays.
  const id = useRef(webhook?.id);
  return useRecordForm({
    record: webhook,
    fieldsOf: readFields,
    validate: { events: (events) => (events.length === 0 ? t("webhooks.noEvent") : null) },
    labels: {
      name: t("words.name"),
      url: t("webhooks.url"),
      events: t("webhooks.events"),
      includeContact: t("webhooks.includeContact"),
      isActive: t("active"),
    },
    keys: ["webhooks"],
    async read() {
      const { webhooks } = await queries.fetchQuery({ ...webhooksQuery, staleTime: 0 });
      return webhooks.find((each) => each.id === id.current);
    },
    async save(fields, { version }) {
      const body = writeFields(fields, canInclude);
      if (id.current !== undefined) return (await updateWebhook(id.current, body, version)).webhook;
      const { secret, ...created } = await createWebhook(body);
      id.current = created.id;
      show?.({ secret });
      return created;
    },
    close,
  });
}

export function WebhookForm(props: WebhookFormProps) {
  const { webhook, close } = props;
  const { t } = useTexts("webhooks");
  const canInclude = usePermission("view_contacts");
  const { form, submit, isPending, notice } = useWebhookForm(props, canInclude);
  return (
    <DialogForm onSubmit={submit} close={close} action={webhook ? t("save") : t("add")} isPending={isPending}>
      {notice}
      <TextInput
        label={t("webhooks.url")}
        description={t("webhooks.urlHint")}
        required
        dir="ltr"
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput
        label={t("words.name")}
        description={t("webhooks.nameHint")}
        dir="auto"
        {...form.getInputProps("name")}
      />
      <Events form={form} />
      {canInclude && (
        <Checkbox
          label={t("webhooks.includeContact")}
          description={t("webhooks.includeContactHint")}
          {...form.getInputProps("includeContact", { type: "checkbox" })}
        />
      )}
      <Checkbox
        label={t("active")}
        description={t("webhooks.activeHint")}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </DialogForm>
  );
}

/** It is sent without a subscription. */
const UNOFFERED = "webhook.test";

function Events({ form }: { form: UseFormReturnType<Fields> }) {
  const { t } = useTexts("webhooks");
  const { nameEvent } = useNames();
  return (
    <Checkbox.Group label={t("webhooks.events")} {...form.getInputProps("events")}>
      <Stack gap="xs" pt="xs">
        {Object.keys(EVENTS)
          .filter(isEvent)
          .filter((event) => event !== UNOFFERED || form.values.events.includes(event))
          .map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={nameEvent(event)}
              description={<Code dir="ltr">{event}</Code>}
            />
          ))}
      </Stack>
    </Checkbox.Group>
  );
}
