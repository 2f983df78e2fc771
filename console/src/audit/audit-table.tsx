/** The entries of the audit log, each with the values before and after. */
import { Anchor, Button, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { ScrolledTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import type { Address } from "../ui/use-address.ts";
import { usersQuery } from "../users/queries.ts";
import { ACTIONS, OBJECT_KINDS } from "./audit-filter.ts";
import classes from "./audit-table.module.css";
import { listChanges } from "./changed-fields.ts";
import { countKinds, groupEntries } from "./entry-groups.ts";
import { findDifference, formatValue } from "./text-difference.ts";

type Entry = Schemas["AuditEntry"];
type EntryGroup = ReturnType<typeof groupEntries>[number];

interface AuditTableProps extends Pick<Address, "change"> {
  entries: Entry[];
  /** Undefined: the user's. */
  timezone?: string;
  /** Whether those of one piece of work are one row until they are asked for. */
  isGrouped?: boolean;
}

export function AuditTable({ entries, timezone, isGrouped = false, change }: AuditTableProps) {
  const { t } = useTexts("audit");
  const { data } = useQuery(usersQuery);
  // On a phone, all of an entry stands below each other.
  const isNarrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const users = new Map(data?.users.map(({ id, name }) => [id, name]));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const groups = isGrouped ? groupEntries(entries) : entries.map((entry): EntryGroup => [entry]);
  const common = { isNarrow, timezone, change };
  const nameOf = (entry: Entry) => nameRecord(entry, users);
  return (
    <ScrolledTable verticalSpacing="sm" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.what}>{t("audit.what")}</Table.Th>
          <Table.Th w="22%" visibleFrom="sm">
            {t("audit.actor")}
          </Table.Th>
          <Table.Th visibleFrom="sm">{t("audit.changes")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map((group) => {
          const [{ id }, ...others] = group;
          const isOpen = others.length === 0 || open.has(id);
          const toggle = () =>
            setOpen(new Set(isOpen ? [...open].filter((each) => each !== id) : [...open, id]));
          return (
            <Fragment key={id}>
              {others.length > 0 && <GroupRow {...{ group, nameOf, isOpen, toggle }} {...common} />}
              {isOpen &&
                group.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} name={nameOf(entry)} {...common} />
                ))}
            </Fragment>
          );
        })}
      </Table.Tbody>
    </ScrolledTable>
  );
}

/** The log keeps no names of people: a user has the role in it, and a contact its id. */
function nameRecord({ objectKind, objectId, objectName }: Entry, users: ReadonlyMap<string, string>): string {
  if (objectKind === "user") return users.get(objectId) ?? objectName;
  return objectKind === "contact" && objectName === objectId ? `…${objectId.slice(-12)}` : objectName;
}

/** What all rows know. */
interface RowProps extends Pick<Address, "change"> {
  isNarrow: boolean;
  timezone: string | undefined;
}

interface GroupProps extends RowProps {
  group: EntryGroup;
  nameOf(entry: Entry): string;
  isOpen: boolean;
  toggle(): void;
}

/** More names are read in the entries. */
const SHOWN_NAMES = 3;

/** Entries of one piece of work in one row. */
function GroupRow({ group, nameOf, isOpen, toggle, isNarrow, ...given }: GroupProps) {
  const { t, formatNumber } = useTexts("audit");
  const nameKind = useNameKind();
  const [first] = group;
  const kinds = [...countKinds(group)].map(([kind, count]) => `${nameKind(kind)} (${formatNumber(count)})`);
  const names = [...new Set(group.map(nameOf))];
  const origin = <Origin entry={first} since={group.at(-1)?.at} {...given} />;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Text size="sm">
          {kinds.join(", ")} · <ActionName entry={first} />
        </Text>
        <Text className={classes.text}>
          {names.slice(0, SHOWN_NAMES).map((name, index) => (
            <Fragment key={name}>
              {index > 0 && ", "}
              <bdi>{name}</bdi>
            </Fragment>
          ))}
          {names.length > SHOWN_NAMES && " …"}
        </Text>
        {isNarrow && origin}
        <Button size="compact-xs" variant="subtle" px={0} aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t("audit.fold") : t("audit.unfold", { count: group.length })}
        </Button>
      </Table.Td>
      {!isNarrow && (
        <>
          <Table.Td>{origin}</Table.Td>
          <Table.Td />
        </>
      )}
    </Table.Tr>
  );
}

function useNameKind(): (objectKind: string) => string {
  const { t } = useTexts("audit");
  return (objectKind) => {
    const kind = OBJECT_KINDS.find((known) => known === objectKind);
    return kind ? t(`audit.kinds.${kind}`) : objectKind;
  };
}

function ActionName({ entry: { action: given } }: { entry: Entry }) {
  const { t } = useTexts("audit");
  const action = ACTIONS.find((known) => known === given);
  return action ? t(`audit.actions.${action}`) : given;
}

interface OriginProps extends Omit<RowProps, "isNarrow"> {
  entry: Entry;
  /** When the first of several was, ISO 8601. */
  since?: string | undefined;
}

/** Who did it, and when. */
function Origin({ entry, since, timezone, change }: OriginProps) {
  const { formatTime } = useTexts("audit");
  const [from, to] = [formatTime(since ?? entry.at, timezone), formatTime(entry.at, timezone)];
  return (
    <>
      <Actor entry={entry} change={change} />
      <Note>
        {from !== to && (
          <>
            <time dateTime={since}>{from}</time>
            {" – "}
          </>
        )}
        <time dateTime={entry.at}>{to}</time>
      </Note>
    </>
  );
}

interface EntryProps extends RowProps {
  entry: Entry;
  /** Of the record. */
  name: string;
}

function EntryRow({ entry, name, isNarrow, timezone, change }: EntryProps) {
  const { t } = useTexts("audit");
  const nameKind = useNameKind();
  const kind = OBJECT_KINDS.find((known) => known === entry.objectKind);
  const origin = <Origin entry={entry} timezone={timezone} change={change} />;
  const changes = <Changes changes={entry.changes} timezone={timezone} />;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Text size="sm">
          {nameKind(entry.objectKind)} · <ActionName entry={entry} />
        </Text>
        <RecordName entry={entry} name={name} />
        {isNarrow && origin}
        {isNarrow && changes}
        {kind && entry.objectId !== "" && (
          <Button
            size="compact-xs"
            variant="subtle"
            px={0}
            aria-label={t("audit.historyOf", { name })}
            onClick={() => change({ objectKind: kind, objectId: entry.objectId }, "push")}
          >
            {t("audit.history")}
          </Button>
        )}
      </Table.Td>
      {!isNarrow && (
        <>
          <Table.Td>
            {origin}
            <Note>
              <bdi dir="ltr">{entry.ipAddress}</bdi>
            </Note>
          </Table.Td>
          <Table.Td>{changes}</Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

/** Records that have a page of their own. */
const PAGES: Readonly<Record<string, string>> = { book: "books", contact: "contacts" };

/** What is about all records of a kind has another id, and what was deleted has no page. */
const hasPage = ({ objectKind, objectId, action }: Entry): boolean =>
  objectKind in PAGES && /^[\da-f-]{36}$/.test(objectId) && action !== "delete";

function RecordName({ entry, name: given }: Pick<EntryProps, "entry" | "name">) {
  const name = <bdi>{given}</bdi>;
  return (
    <Text fw={500} className={classes.text}>
      {hasPage(entry) ? (
        <Anchor component={Link} to={`/${PAGES[entry.objectKind]}/${entry.objectId}`} inherit>
          {name}
        </Anchor>
      ) : (
        name
      )}
    </Text>
  );
}

function Actor({ entry: { actorId, actorName }, change }: { entry: Entry } & Pick<Address, "change">) {
  const { t } = useTexts("audit");
  const name = actorName || t("audit.actors.unknown");
  if (actorId === null)
    return (
      <Text size="sm" className={classes.text}>
        <bdi>{name}</bdi>
      </Text>
    );
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      className={classes.text}
      aria-label={t("audit.entriesBy", { name })}
      onClick={() => change({ actorId }, "push")}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}

/** More fields than these are folded away. */
const OPEN_FIELDS = 4;

function Changes({ changes, timezone }: Pick<Entry, "changes"> & { timezone: string | undefined }) {
  const { t } = useTexts("audit");
  const fields = listChanges(changes);
  const list = (
    <Stack component="dl" gap={4} m={0}>
      {fields.map(([name, sides]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            <FieldName name={name} />
          </Text>
          <Text component="dd" size="sm" m={0} className={classes.text} dir="auto">
            <Difference name={name} timezone={timezone} {...sides} />
          </Text>
        </div>
      ))}
    </Stack>
  );
  if (fields.length <= OPEN_FIELDS) return list;
  return (
    <details>
      <summary>{t("audit.fields", { count: fields.length })}</summary>
      {list}
    </details>
  );
}

function FieldName({ name }: { name: string }) {
  const { findText } = useTexts("audit");
  return findText(`audit.fieldNames.${name}`) ?? <bdi dir="ltr">{name}</bdi>;
}

const MASK = "[masked]";

/** @param before absent for a created record @param after absent for a deleted one */
function Difference({
  name,
  timezone,
  before,
  after,
}: { name: string; timezone: string | undefined } & Entry["changes"][string]) {
  const { t, formatTime } = useTexts("audit");
  if (before === MASK || after === MASK) return <span>{t("audit.masked")}</span>;
  const words = { formatTime: (iso: string) => formatTime(iso, timezone), yes: t("yes"), no: t("no") };
  // The database has flags as numbers.
  const format = (value: unknown) =>
    formatValue(/^is[A-Z]/.test(name) && typeof value === "number" ? value === 1 : value, words);
  const [old, now] = [format(before), format(after)];
  const { start, removed, added, end } = findDifference(old, now);
  // What was or is empty is said in a word.
  const removedText = before === undefined ? "" : removed || (old === "" ? t("audit.nothing") : "");
  const addedText = after === undefined ? "" : added || (now === "" ? t("audit.nothing") : "");
  return (
    <>
      {start}
      {removedText && (
        <del className={classes.removed}>
          <VisuallyHidden>{t("audit.was")} </VisuallyHidden>
          {removedText}
        </del>
      )}
      {removedText && addedText && " "}
      {addedText && (
        <ins className={classes.added}>
          <VisuallyHidden>{t("audit.is")} </VisuallyHidden>
          {addedText}
        </ins>
      )}
      {end}
    </>
  );
}
