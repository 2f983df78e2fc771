/** The webhooks: addresses of other systems, which are sent what happens here. */
import { Badge, Button, Group, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmForm } from "../forms/confirm-form.tsx";
import { AddButton } from "../forms/dialog-button.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useSession } from "../session/session.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { useAddress } from "../ui/use-address.ts";
import { Deliveries } from "./deliveries.tsx";
import { useNames } from "./names.ts";
import {
  deleteWebhook,
  rotateSecret,
  testWebhook,
  useWebhookChange,
  type Webhook,
  webhooksQuery,
} from "./queries.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { SecretDialog, type ShownSecret } from "./webhook-secret.tsx";
import classes from "./webhooks.module.css";

/** Without PUBLIC_BASE_URL there can be none. Not known between the log-in and the next response. */
function useCanHaveWebhooks(): boolean {
  const { data: session } = useSession();
  return session && "features" in session ? session.features.webhooks : true;
}

const nameOf = ({ name, url }: Webhook): string => name || url;

export default function WebhooksPage() {
  const { t } = useTexts("webhooks");
  const canHave = useCanHaveWebhooks();
  const [secret, show] = useState<ShownSecret>();
  return (
    <PermittedPage
      permission="manage_settings"
      title={t("nav.webhooks")}
      actions={
        canHave && (
          <AddButton label={t("webhooks.add")}>
            {(close) => <WebhookForm close={close} show={show} />}
          </AddButton>
        )
      }
    >
      <Text maw="70ch">{canHave ? t("webhooks.about") : t("webhooks.needsAddress")}</Text>
      <SecretDialog shown={secret} close={() => show(undefined)} />
      <Webhooks show={show} />
    </PermittedPage>
  );
}

function Webhooks({ show }: ShowsSecret) {
  const { t } = useTexts("webhooks");
  const query = useQuery(webhooksQuery);
  const chosen = useAddress().query.get("webhook");
  return (
    <Loaded
      query={query}
      empty={{ when: ({ webhooks }) => webhooks.length === 0, text: t("webhooks.empty") }}
    >
      {({ webhooks }) => {
        const webhook = webhooks.find(({ id }) => id === chosen);
        return (
          <>
            <WebhookTable webhooks={webhooks} show={show} />
            {webhook && <Deliveries key={webhook.id} webhook={webhook} name={nameOf(webhook)} />}
          </>
        );
      }}
    </Loaded>
  );
}

interface ShowsSecret {
  show(secret: ShownSecret): void;
}

function WebhookTable({ webhooks, show }: ShowsSecret & { webhooks: Webhook[] }) {
  const { t, formatNumber } = useTexts("webhooks");
  return (
    <DataTable
      rows={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t("webhooks.webhook"),
          className: classes.text,
          cell: (webhook) => <NameCell webhook={webhook} />,
        },
        { head: t("webhooks.events"), from: "md", cell: (webhook) => <EventsCell webhook={webhook} /> },
        { head: t("state"), from: "sm", cell: (webhook) => <State webhook={webhook} /> },
        {
          head: t("webhooks.lastDelivery"),
          from: "md",
          cell: (webhook) => <LastDeliveryCell webhook={webhook} />,
        },
        {
          head: t("webhooks.waiting"),
          from: "sm",
          isNumber: true,
          cell: ({ waiting }) => formatNumber(waiting),
        },
        { head: t("webhooks.actions"), cell: (webhook) => <Actions webhook={webhook} show={show} /> },
      ]}
    />
  );
}

interface CellProps {
  webhook: Webhook;
}

const NameCell = ({ webhook }: CellProps) => (
  <>
    {webhook.name !== "" && (
      <Text fw={500}>
        <bdi>{webhook.name}</bdi>
      </Text>
    )}
    <bdi dir="ltr">{webhook.url}</bdi>
    <Text component="div" size="sm" hiddenFrom="sm" pt={4}>
      <State webhook={webhook} />
    </Text>
  </>
);

function EventsCell({ webhook: { events } }: CellProps) {
  const { nameEvent } = useNames();
  return events.map((event) => (
    <Text key={event} size="sm">
      {nameEvent(event)}
    </Text>
  ));
}

function LastDeliveryCell({ webhook: { lastDelivery } }: CellProps) {
  const { t, formatTime } = useTexts("webhooks");
  if (lastDelivery === null) return t("webhooks.notYet");
  const { at, status } = lastDelivery;
  return (
    <>
      {formatTime(at)}
      <Note>{status === null ? t("webhooks.noResponse") : <bdi dir="ltr">HTTP {status}</bdi>}</Note>
    </>
  );
}

/** With what has switched it off. */
function State({ webhook: { isActive, disabledReason } }: CellProps) {
  const { t } = useTexts("webhooks");
  const { explainReason } = useNames();
  return (
    <>
      <Badge variant="default" miw="max-content">
        {isActive ? t("active") : t("inactive")}
      </Badge>
      {disabledReason !== null && <Text size="sm">{explainReason(disabledReason)}</Text>}
    </>
  );
}

function Actions({ webhook, show }: ShowsSecret & { webhook: Webhook }) {
  const { t } = useTexts("webhooks");
  const { change } = useAddress();
  const notifyProblem = useNotifyProblem();
  const [dialog, open] = useState<"edit" | "rotate" | "remove">();
  const close = () => open(undefined);
  const test = useWebhookChange(testWebhook);
  const name = nameOf(webhook);
  const showDeliveries = () => change({ webhook: webhook.id, state: "" });
  const sendTest = () =>
    test.mutate(webhook.id, {
      onSuccess() {
        notifications.show({ message: t("webhooks.testSent") });
        showDeliveries();
      },
      onError: notifyProblem,
    });
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => open("edit")}
          aria-label={t("editOf", { name })}
        >
          {t("edit")}
        </Button>
        <Menu withinPortal={false} position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button size="compact-sm" variant="default" aria-label={t("webhooks.moreOf", { name })}>
              {t("webhooks.more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={showDeliveries}>{t("webhooks.deliveries")}</Menu.Item>
            <Menu.Item onClick={sendTest}>{t("webhooks.test")}</Menu.Item>
            <Menu.Item onClick={() => open("rotate")}>{t("webhooks.rotate")}</Menu.Item>
            <Menu.Item onClick={() => open("remove")}>{t("remove")}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <FormDialog title={name} isOpen={dialog === "edit"} close={close}>
        <WebhookForm webhook={webhook} close={close} />
      </FormDialog>
      <FormDialog title={t("webhooks.rotateOf", { name })} isOpen={dialog === "rotate"} close={close}>
        <RotateForm webhook={webhook} close={close} show={show} />
      </FormDialog>
      <FormDialog title={t("webhooks.deleteOf", { name })} isOpen={dialog === "remove"} close={close}>
        <DeleteForm webhook={webhook} close={close} />
      </FormDialog>
    </>
  );
}

function RotateForm({ webhook, close, show }: ShowsSecret & { webhook: Webhook; close(): void }) {
  const { t } = useTexts("webhooks");
  const rotate = useWebhookChange(rotateSecret);
  return (
    <ConfirmForm
      hint={t("webhooks.rotateHint")}
      action={t("webhooks.rotate")}
      run={async () => show(await rotate.mutateAsync(webhook.id))}
      close={close}
    />
  );
}

function DeleteForm({ webhook, close }: { webhook: Webhook; close(): void }) {
  const { t } = useTexts("webhooks");
  const remove = useWebhookChange(deleteWebhook);
  return (
    <ConfirmForm
      hint={t("webhooks.deleteHint")}
      action={t("remove")}
      run={() => remove.mutateAsync(webhook.id)}
      done={t("webhooks.deleted")}
      close={close}
    />
  );
}
