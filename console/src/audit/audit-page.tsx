/** The audit log: who changed what, with the values before and after. Filters and page stand in the address. */
import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, receive } from "../api/client.ts";
import { exportPath, PAGE_SIZE } from "../api/list-request.ts";
import { RangeFields } from "../dates/range-fields.tsx";
import { Filters } from "../lists/filters.tsx";
import { PagedList } from "../lists/paged-list.tsx";
import { useTexts } from "../messages/index.tsx";
import { readZone } from "../messages/zones.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { type Address, useAddress } from "../ui/use-address.ts";
import { usersQuery } from "../users/queries.ts";
import {
  ACTIONS,
  ACTOR_KINDS,
  type AuditFilter,
  OBJECT_KINDS,
  readAuditFilter,
  writeAuditRequest,
} from "./audit-filter.ts";
import { AuditTable } from "./audit-table.tsx";

const auditQuery = (filter: AuditFilter, timezone: string) =>
  queryOptions({
    queryKey: ["audit", filter, timezone],
    queryFn: () =>
      receive(
        api.GET("/api/admin/audit", {
          params: { query: { ...writeAuditRequest(filter, timezone), page: filter.page, limit: PAGE_SIZE } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export default function AuditPage() {
  const { t } = useTexts("audit");
  const address = useAddress();
  const timezone = readZone(address.query);
  const filter = readAuditFilter(address.query, timezone);
  return (
    <PermittedPage
      permission="manage_users"
      title={t("nav.audit")}
      actions={<ExportLink filter={filter} timezone={timezone} />}
    >
      <AuditFilters filter={filter} timezone={timezone} query={address.query} change={address.change} />
      <AuditList filter={filter} timezone={timezone} address={address} />
    </PermittedPage>
  );
}

interface FilterProps {
  filter: AuditFilter;
  timezone: string;
}

function ExportLink({ filter, timezone }: FilterProps) {
  const { t } = useTexts("audit");
  const path = exportPath("/api/admin/audit/export", writeAuditRequest(filter, timezone));
  return (
    <Button variant="default" component="a" href={path} download>
      {t("audit.export")}
    </Button>
  );
}

type ChangeProps = FilterProps & Pick<Address, "change">;

function AuditFilters({ filter, timezone, query, change }: ChangeProps & Pick<Address, "query">) {
  const { t } = useTexts("audit");
  const { startDate, endDate, action, objectKind } = filter;
  const all = { value: "", label: t("audit.all") };
  return (
    <Stack gap="sm">
      <Filters
        list="audit"
        moreInUse={[action, objectKind].filter((value) => value !== "").length}
        more={
          <>
            <NativeSelect
              label={t("audit.action")}
              value={action}
              data={[all, ...ACTIONS.map((value) => ({ value, label: t(`audit.actions.${value}`) }))]}
              onChange={({ currentTarget: { value } }) => change({ action: value })}
            />
            <NativeSelect
              label={t("audit.kind")}
              value={objectKind}
              data={[all, ...OBJECT_KINDS.map((value) => ({ value, label: t(`audit.kinds.${value}`) }))]}
              onChange={({ currentTarget: { value } }) => change({ objectKind: value })}
            />
          </>
        }
      >
        <ActorChoice filter={filter} change={change} />
        <RangeFields range={{ startDate, endDate }} timezone={timezone} query={query} change={change} />
      </Filters>
      <Narrowed filter={filter} change={change} />
    </Stack>
  );
}

/** One person, or all actors of a kind. */
function ActorChoice({ filter: { actorId, actorKind }, change }: Omit<ChangeProps, "timezone">) {
  const { t } = useTexts("audit");
  const { data } = useQuery(usersQuery);
  const people = data?.users.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const isListed = actorId === "" || people.some(({ value }) => value === actorId);
  const kinds = ACTOR_KINDS.map((value) => ({ value, label: t(`audit.actors.${value}`) }));
  return (
    <NativeSelect
      label={t("audit.actor")}
      value={actorId || actorKind}
      data={[
        { value: "", label: t("audit.all") },
        ...(isListed ? [] : [{ value: actorId, label: t("audit.oneActor") }]),
        { group: t("audit.people"), items: people },
        { group: t("audit.actorKinds"), items: kinds },
      ]}
      onChange={({ currentTarget: { value } }) => {
        const kind = ACTOR_KINDS.find((each) => each === value);
        change(kind ? { actorKind: kind, actorId: "" } : { actorId: value, actorKind: "" });
      }}
    />
  );
}

/** What was narrowed by a link. */
function Narrowed({ filter, change }: Omit<ChangeProps, "timezone">) {
  const { t } = useTexts("audit");
  const narrowed = [
    ["objectId", t("audit.onlyRecord")],
    ["requestId", t("audit.onlyRequest")],
  ] as const;
  return narrowed.map(
    ([name, label]) =>
      filter[name] !== "" && (
        <Group key={name} gap="xs">
          <Text size="sm">{label}</Text>
          <Button size="compact-sm" variant="default" onClick={() => change({ [name]: "" }, "push")}>
            {t("audit.drop")}
          </Button>
        </Group>
      ),
  );
}

function AuditList({ filter, timezone, address }: FilterProps & { address: Address }) {
  const list = useQuery(auditQuery(filter, timezone));
  // Of one record, or one request, each entry is what one has asked for.
  const isGrouped = filter.objectId === "" && filter.requestId === "";
  return (
    <PagedList query={list} address={address} rowsOf={({ entries }) => entries} list="audit">
      {(entries) => <AuditTable {...{ entries, timezone, isGrouped }} change={address.change} />}
    </PagedList>
  );
}
