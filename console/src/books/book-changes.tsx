/** Who changed what of a book and when, by the audit log. */
import { NativeSelect, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, receive, type Schemas } from "../api/client.ts";
import { AuditTable } from "../audit/audit-table.tsx";
import { languagesQuery } from "../languages/queries.ts";
import { FurtherPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";

const PAGE_SIZE = 20;

export default function BookChanges({ details }: { details: Schemas["BookDetails"] }) {
  const { t, formatNumber } = useTexts("books");
  const [objectId, setObjectId] = useState(details.book.id);
  const [page, setPage] = useState(1);
  const go = useNavigate();
  const query = useQuery({
    // The log has another entry after each change of the book.
    queryKey: ["books", "history", objectId, page],
    queryFn: () =>
      receive(api.GET("/api/admin/audit", { params: { query: { objectId, page, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <NativeSelect
        label={t("history.of")}
        value={objectId}
        data={useObjects(details)}
        onChange={({ currentTarget: { value } }) => {
          setObjectId(value);
          setPage(1);
        }}
      />
      <Loaded query={query} empty={{ when: ({ entries }) => entries.length === 0, text: t("history.empty") }}>
        {({ entries, pagination }) => (
          <Stack w="100%">
            <DimmedWhileOutdated>
              <AuditTable
                entries={entries}
                change={(values) => go(`/audit?${new URLSearchParams(values)}`)}
              />
            </DimmedWhileOutdated>
            <FurtherPages
              pagination={pagination}
              count={formatNumber(pagination.total)}
              change={(values) => setPage(Number(values.page) || 1)}
            />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** What has a history: the book, its translations and its files. */
function useObjects({ book, translations, files }: Schemas["BookDetails"]) {
  const { t, nameLanguage } = useTexts("books");
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const name = (code: string) => nameLanguage(languages.find((each) => each.code === code) ?? { code });
  return [
    { value: book.id, label: t("history.book") },
    ...translations.map(({ id, languageCode }) => ({
      value: id,
      label: t("history.translation", { language: name(languageCode) }),
    })),
    ...files.map(({ id, fileName }) => ({ value: id, label: t("history.file", { name: fileName }) })),
  ];
}
