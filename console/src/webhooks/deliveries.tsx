/** What has become of the events of a webhook in the last 30 days, newest first. */
import { Badge, Button, Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { readPage } from "../lib/address.ts";
import { Pages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";
import { useAddress } from "../ui/use-address.ts";
import { useNames } from "./names.ts";
import {
  DELIVERY_STATES,
  type Delivery,
  deliveriesQuery,
  resendDelivery,
  useWebhookChange,
  type Webhook,
} from "./queries.ts";
import classes from "./webhooks.module.css";

/** @param name by which the webhook is listed */
export function Deliveries({ webhook, name }: { webhook: Webhook; name: string }) {
  const { t } = useTexts("webhooks");
  const { nameState } = useNames();
  const { query, change } = useAddress();
  const id = useId();
  const state = DELIVERY_STATES.find((each) => each === query.get("state"));
  const deliveries = useQuery(deliveriesQuery(webhook.id, state, readPage(query)));
  return (
    <Stack component="section" aria-labelledby={id}>
      <Group justify="space-between" align="end">
        <Title order={2} size="h3" id={id} className={classes.text}>
          {t("webhooks.deliveriesOf", { name: isolate(name) })}
        </Title>
        <Button variant="default" size="compact-sm" onClick={() => change({ webhook: "", state: "" })}>
          {t("close")}
        </Button>
      </Group>
      <NativeSelect
        label={t("state")}
        maw={240}
        value={state ?? ""}
        data={[
          { value: "", label: t("webhooks.anyState") },
          ...DELIVERY_STATES.map((value) => ({ value, label: nameState(value) })),
        ]}
        onChange={({ currentTarget }) => change({ state: currentTarget.value })}
      />
      <Loaded query={deliveries}>
        {({ deliveries: rows, pagination }) => (
          <>
            <DimmedWhileOutdated>
              {rows.length === 0 ? (
                <Text>{t("webhooks.noDeliveries")}</Text>
              ) : (
                <DeliveryTable webhookId={webhook.id} deliveries={rows} labelledBy={id} />
              )}
            </DimmedWhileOutdated>
            <Pages
              pagination={pagination}
              count={t("webhooks.count", { count: pagination.total })}
              change={change}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

interface DeliveryTableProps {
  webhookId: string;
  deliveries: Delivery[];
  labelledBy: string;
}

function DeliveryTable({ webhookId, deliveries, labelledBy }: DeliveryTableProps) {
  const { t } = useTexts("webhooks");
  return (
    <DataTable
      aria-labelledby={labelledBy}
      verticalSpacing="xs"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t("webhooks.eventName"),
          className: classes.text,
          cell: (delivery) => <EventCell delivery={delivery} />,
        },
        { head: t("state"), cell: (delivery) => <StateCell delivery={delivery} /> },
        {
          head: t("webhooks.lastAttempt"),
          from: "sm",
          cell: (delivery) => <AttemptCell delivery={delivery} />,
        },
        {
          head: t("words.result"),
          from: "sm",
          className: classes.text,
          cell: (delivery) => <Result delivery={delivery} />,
        },
        {
          head: t("webhooks.resend"),
          cell: (delivery) =>
            delivery.state !== "waiting" && <Resend webhookId={webhookId} delivery={delivery} />,
        },
      ]}
    />
  );
}

interface CellProps {
  delivery: Delivery;
}

function EventCell({ delivery }: CellProps) {
  const { nameEvent } = useNames();
  return (
    <>
      {nameEvent(delivery.event)}
      <Note>
        <bdi dir="ltr">{delivery.event}</bdi>
      </Note>
      <Text size="sm" hiddenFrom="sm">
        <Result delivery={delivery} />
      </Text>
    </>
  );
}

function StateCell({ delivery: { state, attempts } }: CellProps) {
  const { t } = useTexts("webhooks");
  const { nameState } = useNames();
  return (
    <>
      <Badge variant="default" miw="max-content">
        {nameState(state)}
      </Badge>
      <Note>{t("webhooks.attempts", { count: attempts })}</Note>
    </>
  );
}

function AttemptCell({ delivery: { lastAttemptAt, nextAttemptAt } }: CellProps) {
  const { t, formatTime } = useTexts("webhooks");
  return (
    <>
      {lastAttemptAt === null ? t("webhooks.notYet") : formatTime(lastAttemptAt)}
      {nextAttemptAt !== null && <Note>{t("webhooks.next", { time: formatTime(nextAttemptAt) })}</Note>}
    </>
  );
}

/** The status of the response, or why there was none, in the service's words. */
function Result({ delivery: { httpStatus, error, durationMs } }: CellProps) {
  const { t } = useTexts("webhooks");
  return (
    <>
      {httpStatus !== null && <bdi dir="ltr">HTTP {httpStatus}</bdi>}{" "}
      {error !== null && <bdi dir="ltr">{error}</bdi>}
      {durationMs !== null && (
        <Text span size="sm" c="dimmed">
          {" "}
          {t("webhooks.duration", { count: durationMs })}
        </Text>
      )}
    </>
  );
}

function Resend({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { t } = useTexts("webhooks");
  const resend = useWebhookChange(resendDelivery);
  return (
    <ActionButton
      size="compact-sm"
      label={t("webhooks.resend")}
      name={t("webhooks.resendOf", { name: delivery.event })}
      run={() => resend.mutateAsync({ webhookId, deliveryId: delivery.id })}
      done={t("webhooks.resent")}
    />
  );
}
