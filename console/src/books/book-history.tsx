/** Who changed what of a book and when, by the audit log; read only when it is asked for. */
import { Button, NativeSelect, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, receive, type Schemas } from "../api/client.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { Loaded } from "../shell/loaded.tsx";
import { Pages } from "../shell/pages.tsx";
import { languageMessages } from "./language-messages.ts";

type Details = Schemas["BookDetails"];

const PAGE_SIZE = 20;

export function BookHistory({ details }: { details: Details }) {
  const { t } = useTexts(languageMessages);
  const canView = usePermission("manage_users");
  const [isOpen, { open }] = useDisclosure(false);
  if (!canView) return null;
  return (
    <Stack component="section" aria-labelledby="history" align="start">
      <Title order={2} size="h3" id="history">
        {t.history.title}
      </Title>
      {isOpen ? (
        <History details={details} />
      ) : (
        <Button variant="default" onClick={open}>
          {t.history.show}
        </Button>
      )}
    </Stack>
  );
}

function History({ details }: { details: Details }) {
  const { t, nameLanguage, formatNumber } = useTexts(languageMessages);
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const [objectId, setObjectId] = useState(details.book.id);
  const [page, setPage] = useState(1);
  const query = useQuery({
    // The log has another entry after each change of the book.
    queryKey: ["books", "history", objectId, page],
    queryFn: () =>
      receive(api.GET("/api/admin/audit", { params: { query: { objectId, page, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  const name = (code: string) => nameLanguage(languages.find((each) => each.code === code) ?? { code });
  const objects = [
    { value: details.book.id, label: t.history.book },
    ...details.translations.map(({ id, languageCode }) => ({
      value: id,
      label: t.history.translation(name(languageCode)),
    })),
    ...details.files.map(({ id, fileName }) => ({ value: id, label: t.history.file(fileName) })),
  ];
  return (
    <>
      <NativeSelect
        label={t.history.of}
        value={objectId}
        data={objects}
        onChange={({ currentTarget: { value } }) => {
          setObjectId(value);
          setPage(1);
        }}
      />
      <Loaded query={query} empty={{ when: ({ entries }) => entries.length === 0, text: t.history.empty }}>
        {({ entries, pagination }) => (
          <Stack w="100%">
            <Entries entries={entries} />
            {pagination.totalPages > 1 && (
              <Pages
                pagination={pagination}
                count={formatNumber(pagination.total)}
                change={(values) => setPage(Number(values.page) || 1)}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Entries({ entries }: { entries: Schemas["AuditEntry"][] }) {
  const { t, formatTime } = useTexts(languageMessages);
  const actions: Readonly<Record<string, string>> = t.history.actions;
  return (
    <Table.ScrollContainer minWidth={0} type="native" w="100%">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.history.when}</Table.Th>
            <Table.Th>{t.history.who}</Table.Th>
            <Table.Th>{t.history.what}</Table.Th>
            <Table.Th>{t.history.field}</Table.Th>
            <Table.Th>{t.history.before}</Table.Th>
            <Table.Th>{t.history.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ id, at, actorName, action, changes }) => {
            const fields = listChanges(changes);
            return fields.map(({ field, before, after }, index) => (
              <Table.Tr key={`${id} ${field}`}>
                {index === 0 && (
                  <>
                    <Table.Td rowSpan={fields.length}>{formatTime(at)}</Table.Td>
                    <Table.Td rowSpan={fields.length}>
                      <bdi>{actorName}</bdi>
                    </Table.Td>
                    <Table.Td rowSpan={fields.length}>{actions[action] ?? action}</Table.Td>
                  </>
                )}
                <Table.Td>
                  <bdi dir="ltr">{field}</bdi>
                </Table.Td>
                <Table.Td>
                  <Value text={before} />
                </Table.Td>
                <Table.Td>
                  <Value text={after} />
                </Table.Td>
              </Table.Tr>
            ));
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Longer values would hide the entries after them. */
const SHOWN_LENGTH = 300;

/** Of an empty value nothing is shown; an entry without any has one row. */
function listChanges(changes: Schemas["AuditEntry"]["changes"]) {
  const rows = Object.entries(changes).map(([field, { before, after }]) => ({
    field,
    before: writeValue(before),
    after: writeValue(after),
  }));
  const shown = rows.filter(({ before, after }) => before !== "" || after !== "");
  return shown.length > 0 ? shown : [{ field: "", before: "", after: "" }];
}

function writeValue(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function Value({ text }: { text: string }) {
  return (
    <Text size="sm" dir="auto" maw={320} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}
