/** The keys with which programs use the service. */
import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Loaded } from "../shell/loaded.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { usePageRequest } from "../shell/page-request.ts";
import classes from "./api-keys-page.module.css";
import { KeyForm } from "./key-form.tsx";
import { NewKey } from "./new-key.tsx";
import { apiKeysQuery, isScope, revokeKey, useKeyChange } from "./queries.ts";

type ApiKey = Schemas["ApiKey"];

export default function ApiKeysPage() {
  const { t } = useTexts("api-keys");
  const [isOpen, { open, close }] = useDisclosure(false);
  usePageRequest("add", open);
  return (
    <PermittedPage
      permission="manage_api_keys"
      title={t("apiKeys.title")}
      actions={<Button onClick={open}>{t("apiKeys.add")}</Button>}
    >
      <ApiKeys isAdding={isOpen} close={close} />
    </PermittedPage>
  );
}

function ApiKeys({ isAdding, close }: { isAdding: boolean; close(): void }) {
  const { t } = useTexts("api-keys");
  const query = useQuery(apiKeysQuery);
  const [newKey, showNewKey] = useState<string>();
  return (
    <>
      <Text maw="70ch">{t("apiKeys.about")}</Text>
      <FormDialog title={t("apiKeys.add")} isOpen={isAdding} close={close}>
        <KeyForm
          close={close}
          show={(key) => {
            close();
            showNewKey(key);
          }}
        />
      </FormDialog>
      <FormDialog
        title={t("apiKeys.newTitle")}
        isOpen={newKey !== undefined}
        isLocked
        close={() => showNewKey(undefined)}
      >
        <NewKey value={newKey ?? ""} close={() => showNewKey(undefined)} />
      </FormDialog>
      <Loaded query={query} empty={{ when: ({ apiKeys }) => apiKeys.length === 0, text: t("apiKeys.empty") }}>
        {({ apiKeys }) => <KeyTable keys={apiKeys} />}
      </Loaded>
    </>
  );
}

function KeyTable({ keys }: { keys: ApiKey[] }) {
  const { t } = useTexts("api-keys");
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("apiKeys.name")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("apiKeys.scopes")}</Table.Th>
            <Table.Th visibleFrom="md">{t("apiKeys.created")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("apiKeys.lastUsed")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("apiKeys.expires")}</Table.Th>
            <Table.Th>{t("apiKeys.revoke")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t, formatTime } = useTexts("api-keys");
  const [isRevoking, revoke] = useDisclosure(false);
  const { name, keyPrefix, scopes, createdBy, createdAt, lastUsedAt } = apiKey;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} className={classes.text}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{keyPrefix}…</bdi>
        </Text>
        <Stack hiddenFrom="sm" gap="xs" pt={4}>
          <Scopes scopes={scopes} />
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {t("apiKeys.expires")}
            </Text>
            <Expiry expiresAt={apiKey.expiresAt} />
          </Group>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Scopes scopes={scopes} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" className={classes.short}>
          {formatTime(createdAt)}
        </Text>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{createdBy}</bdi>
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.short}>
        {lastUsedAt ? formatTime(lastUsedAt) : t("apiKeys.unused")}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Expiry expiresAt={apiKey.expiresAt} />
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={revoke.open}
          aria-label={t("apiKeys.revokeOf", { name })}
        >
          {t("apiKeys.revoke")}
        </Button>
        <FormDialog title={t("apiKeys.revokeOf", { name })} isOpen={isRevoking} close={revoke.close}>
          <RevokeForm keyId={apiKey.id} close={revoke.close} />
        </FormDialog>
      </Table.Td>
    </Table.Tr>
  );
}

function Scopes({ scopes }: Pick<ApiKey, "scopes">) {
  const { t } = useTexts("api-keys");
  return (
    <Stack gap={2}>
      {scopes.map((scope) => (
        <Text key={scope} size="sm" className={classes.short}>
          {isScope(scope) ? t(`apiKeys.scope.${scope}.name`) : scope}
        </Text>
      ))}
    </Stack>
  );
}

function Expiry({ expiresAt }: Pick<ApiKey, "expiresAt">) {
  const { t, formatTime } = useTexts("api-keys");
  if (expiresAt === null) return <Text size="sm">{t("apiKeys.never")}</Text>;
  return (
    <Stack gap={2} align="start">
      <Text size="sm" className={classes.short}>
        {formatTime(expiresAt)}
      </Text>
      {Date.parse(expiresAt) <= Date.now() && (
        <Badge color="red.9" miw="max-content">
          {t("apiKeys.expired")}
        </Badge>
      )}
    </Stack>
  );
}

function RevokeForm({ keyId, close }: { keyId: string; close(): void }) {
  const { t } = useTexts("api-keys");
  const revoke = useKeyChange(revokeKey);
  return (
    <ConfirmForm
      hint={t("apiKeys.revokeHint")}
      action={t("apiKeys.revoke")}
      run={() => revoke.mutateAsync(keyId)}
      done={t("apiKeys.revoked")}
      close={close}
    />
  );
}
