/** The audit log: who changed what, with the values before and after. Filters and page stand in the address. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, receive } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { type Address, useAddress } from "../shell/address.ts";
import { Loading } from "../shell/loading.tsx";
import { NothingFound } from "../shell/nothing-found.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { Pages } from "../shell/pages.tsx";
import { LoadFailure } from "../shell/problems.tsx";
import {
  ACTIONS,
  ACTOR_KINDS,
  type AuditFilter,
  OBJECT_KINDS,
  readAuditFilter,
  writeAuditRequest,
} from "./audit-filter.ts";
import { AuditTable } from "./audit-table.tsx";
import { auditMessages } from "./messages.ts";

const PAGE_ROWS = 50;

const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ["audit", filter],
    queryFn: () =>
      receive(
        api.GET("/api/admin/audit", {
          params: { query: { ...writeAuditRequest(filter), page: filter.page, limit: PAGE_ROWS } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export default function AuditPage() {
  const { t } = useTexts(auditMessages);
  const address = useAddress();
  const filter = readAuditFilter(address.query);
  return (
    <PermittedPage permission="manage_users" title={t.audit.title} actions={<ExportLink filter={filter} />}>
      <Filters filter={filter} change={address.change} />
      <AuditList filter={filter} address={address} />
    </PermittedPage>
  );
}

function ExportLink({ filter }: { filter: AuditFilter }) {
  const { t } = useTexts(auditMessages);
  const query = new URLSearchParams(writeAuditRequest(filter));
  return (
    <Button variant="default" component="a" href={`/api/admin/audit/export?${query}`} download>
      {t.audit.export}
    </Button>
  );
}

interface FiltersProps extends Pick<Address, "change"> {
  filter: AuditFilter;
}

function Filters({ filter, change }: FiltersProps) {
  const { t } = useTexts(auditMessages);
  const select = <Value extends string>(
    name: "action" | "objectKind" | "actorKind",
    label: string,
    names: readonly (readonly [Value, string])[],
  ) => (
    <NativeSelect
      label={label}
      value={filter[name]}
      data={[{ value: "", label: t.audit.all }, ...names.map(([value, label]) => ({ value, label }))]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  const day = (name: "startDate" | "endDate", label: string) => (
    <TextInput
      type="date"
      label={label}
      value={filter[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm">
      <Group align="end">
        {day("startDate", t.audit.from)}
        {day("endDate", t.audit.to)}
        {select(
          "action",
          t.audit.action,
          ACTIONS.map((action) => [action, t.audit.actions[action]] as const),
        )}
        {select(
          "objectKind",
          t.audit.kind,
          OBJECT_KINDS.map((kind) => [kind, t.audit.kinds[kind]] as const),
        )}
        {select(
          "actorKind",
          t.audit.actor,
          ACTOR_KINDS.map((kind) => [kind, t.audit.actors[kind]] as const),
        )}
      </Group>
      <Narrowed filter={filter} change={change} />
    </Stack>
  );
}

/** What was narrowed by a link of the list. */
function Narrowed({ filter, change }: FiltersProps) {
  const { t } = useTexts(auditMessages);
  const narrowed = [
    ["objectId", t.audit.onlyRecord],
    ["actorId", t.audit.onlyActor],
    ["requestId", t.audit.onlyRequest],
  ] as const;
  return narrowed.map(
    ([name, label]) =>
      filter[name] !== "" && (
        <Group key={name} gap="xs">
          <Text size="sm">{label}</Text>
          <Button size="compact-sm" variant="default" onClick={() => change({ [name]: "" })}>
            {t.audit.drop}
          </Button>
        </Group>
      ),
  );
}

function AuditList({ filter, address: { query, change, clear } }: { filter: AuditFilter; address: Address }) {
  const { t } = useTexts(auditMessages);
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(filter));
  if (error) return <LoadFailure error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const { entries, pagination } = data;
  if (entries.length === 0)
    return (
      <NothingFound
        hasFilter={query.size > 0}
        noMatch={t.audit.noMatch}
        empty={t.audit.empty}
        clear={clear}
      />
    );
  return (
    <Stack aria-busy={isPlaceholderData}>
      <AuditTable entries={entries} change={change} />
      <Pages pagination={pagination} count={t.audit.count(pagination.total)} change={change} />
    </Stack>
  );
}
