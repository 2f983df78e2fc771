/** The keys with which programs use the service. */
import { Badge, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { AddButton, ConfirmButton } from "../forms/dialog-button.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useUnsaved } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { useCopy } from "../ui/use-copy.ts";
import classes from "./api-keys-page.module.css";
import { KeyForm } from "./key-form.tsx";
import { apiKeysQuery, isScope, revokeKey, useKeyChange } from "./queries.ts";

type ApiKey = Schemas["ApiKey"];

export default function ApiKeysPage() {
  const { t } = useTexts("api-keys");
  const [newKey, showNewKey] = useState<string>();
  const hideNewKey = () => showNewKey(undefined);
  const addForm = (close: () => void) => {
    const show = (key: string) => {
      close();
      showNewKey(key);
    };
    return <KeyForm close={close} show={show} />;
  };
  return (
    <PermittedPage
      permission="manage_api_keys"
      title={t("nav.api-keys")}
      actions={<AddButton label={t("apiKeys.add")}>{addForm}</AddButton>}
    >
      <Text maw="70ch">{t("apiKeys.about")}</Text>
      <FormDialog title={t("apiKeys.newTitle")} isOpen={newKey !== undefined} isLocked close={hideNewKey}>
        <NewKey value={newKey ?? ""} close={hideNewKey} />
      </FormDialog>
      <KeyTable />
    </PermittedPage>
  );
}

function KeyTable() {
  const { t, formatTime } = useTexts("api-keys");
  const revoke = useKeyChange(revokeKey);
  return (
    <LoadedTable
      query={useQuery(apiKeysQuery)}
      rowsOf={({ apiKeys }) => apiKeys}
      empty={t("apiKeys.empty")}
      keyOf={({ id }) => id}
      columns={[
        { head: t("apiKeys.name"), cell: (key) => <NameCell apiKey={key} /> },
        { head: t("apiKeys.scopes"), from: "sm", cell: (key) => <Scopes {...key} /> },
        { head: t("apiKeys.created"), from: "md", cell: (key) => <CreatedCell apiKey={key} /> },
        {
          head: t("apiKeys.lastUsed"),
          from: "sm",
          isShort: true,
          cell: ({ lastUsedAt }) => (lastUsedAt ? formatTime(lastUsedAt) : t("apiKeys.unused")),
        },
        { head: t("apiKeys.expires"), from: "sm", cell: (key) => <Expiry {...key} /> },
        {
          head: t("apiKeys.revoke"),
          cell: ({ id, name }) => (
            <ConfirmButton
              size="compact-sm"
              label={t("apiKeys.revoke")}
              name={t("apiKeys.revokeOf", { name })}
              hint={t("apiKeys.revokeHint")}
              run={() => revoke.mutateAsync(id)}
              done={t("apiKeys.revoked")}
            />
          ),
        },
      ]}
    />
  );
}

function NameCell({ apiKey: { name, keyPrefix, scopes, expiresAt } }: { apiKey: ApiKey }) {
  const { t } = useTexts("api-keys");
  return (
    <>
      <Text fw={500} className={classes.text}>
        <bdi>{name}</bdi>
      </Text>
      <Note>
        <bdi dir="ltr">{keyPrefix}…</bdi>
      </Note>
      <Stack hiddenFrom="sm" gap="xs" pt={4}>
        <Scopes scopes={scopes} />
        <Group gap="xs">
          <Note>{t("apiKeys.expires")}</Note>
          <Expiry expiresAt={expiresAt} />
        </Group>
      </Stack>
    </>
  );
}

function CreatedCell({ apiKey: { createdAt, createdBy } }: { apiKey: ApiKey }) {
  const { formatTime } = useTexts();
  return (
    <>
      <Text size="sm" className={classes.short}>
        {formatTime(createdAt)}
      </Text>
      <Note>
        <bdi dir="ltr">{createdBy}</bdi>
      </Note>
    </>
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

/** A new key, which is shown this once. */
function NewKey({ value, close }: { value: string; close(): void }) {
  const { t } = useTexts("api-keys");
  useUnsaved(true, t("apiKeys.onlyNow"));
  const { copy, outcome } = useCopy(value);
  return (
    <Stack>
      <Text>{t("apiKeys.onlyNow")}</Text>
      <TextInput
        label={t("apiKeys.key")}
        readOnly
        dir="ltr"
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <div>
        <Text size="sm">{t("apiKeys.usage")}</Text>
        <Code dir="ltr">Authorization: Bearer KEY</Code>
      </div>
      <Text size="sm" role="status">
        {outcome && t(`apiKeys.${outcome}`)}
      </Text>
      <Group justify="end">
        <Button variant="default" onClick={copy}>
          {t("apiKeys.copy")}
        </Button>
        <Button onClick={close}>{t("apiKeys.done")}</Button>
      </Group>
    </Stack>
  );
}
