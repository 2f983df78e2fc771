/** What was recognised, to be corrected before it is stored. */
import { Checkbox, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { languagesQuery } from "../languages/queries.ts";
import { Pages, useLocalPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";
import { Section } from "../ui/section.tsx";
import { type ChoosableLanguage, type DraftColumns, useDraftColumns } from "./draft-columns.tsx";
import { areOfOneEdition, type ChosenLanguage, type Draft, listAlike, type Plan } from "./drafts.ts";
import type { Edit } from "./queue.ts";
import { runner } from "./upload-store.ts";
import classes from "./uploads.module.css";

const PAGE_SIZE = 25;

interface DraftTableProps extends Pick<DraftColumns, "bookBy" | "isDisabled"> {
  drafts: readonly Draft[];
  /** Those that the service doesn't have yet. */
  newLanguages?: Plan["languages"];
}

export function DraftTable({ drafts, bookBy, isDisabled, newLanguages = [] }: DraftTableProps) {
  const { t } = useTexts("uploads");
  const id = useId();
  const { data } = useQuery(languagesQuery);
  const [showsRemarked, setShowsRemarked] = useState(false);
  if (drafts.length === 0) return null;
  // Also those that were corrected: a row stays while one types in it.
  const remarked = drafts.filter(({ remarks }) => remarks.length > 0);
  const listed = showsRemarked && remarked.length > 0 ? remarked : drafts;
  const known = data?.languages ?? [];
  const codes = new Set(known.map(({ code }) => code));
  const languages = [...known, ...newLanguages.filter(({ code }) => !codes.has(code)).map(asNew)];
  const unknown = drafts.filter(({ languageCode }) => languageCode === "");
  return (
    <Section title={t("uploads.drafts")} id={id} hint={t("uploads.draftsHint")} gap="sm">
      {unknown.length > 1 && <LanguageOfAll unknown={unknown} languages={languages} />}
      {remarked.length > 0 && (
        <Checkbox
          label={t("uploads.differing", { count: remarked.length })}
          checked={showsRemarked}
          onChange={({ currentTarget: { checked } }) => setShowsRemarked(checked)}
        />
      )}
      <Rows drafts={listed} bookBy={bookBy} isDisabled={isDisabled} languages={languages} />
    </Section>
  );
}

type RowsProps = Pick<DraftColumns, "bookBy" | "isDisabled" | "languages"> & { drafts: readonly Draft[] };

function Rows({ drafts, ...common }: RowsProps) {
  const { t } = useTexts("uploads");
  const { shown, pagination, change } = useLocalPages(drafts, PAGE_SIZE);
  const [chosen, setChosen] = useState<ChosenLanguage>();
  const edit = (draft: Draft, change: Edit) => {
    const { itemId, path, languageCode: from } = draft;
    const { languageCode } = change;
    if (languageCode !== undefined) setChosen({ itemId, path, from, languageCode });
    const edited =
      change.title === undefined ? [draft] : drafts.filter((each) => areOfOneEdition(each, draft));
    dispatchEdits(edited, change);
  };
  const alike = chosen ? listAlike(drafts, chosen) : [];
  return (
    <>
      <DimmedWhileOutdated>
        <DataTable
          isCards
          verticalSpacing="xs"
          rows={shown}
          keyOf={({ itemId }) => itemId}
          rowProps={({ isIncluded }) => ({
            className: classes.row,
            "data-excluded": !isIncluded || undefined,
          })}
          columns={useDraftColumns({
            ...common,
            edit,
            countAlike: ({ itemId }) => (itemId === chosen?.itemId ? alike.length : 0),
            editAlike: () =>
              dispatchEdits(alike, { languageCode: chosen?.languageCode ?? "", isIncluded: true }),
          })}
        />
      </DimmedWhileOutdated>
      <Pages pagination={pagination} count={t("uploads.files", { count: drafts.length })} change={change} />
    </>
  );
}

const dispatchEdits = (drafts: readonly Draft[], edit: Edit): void =>
  runner.dispatch({ type: "edited", ids: drafts.map(({ itemId }) => itemId), edit });

const asNew = ({ code, name }: { code: string; name: string }): ChoosableLanguage => ({
  code,
  name,
  isNew: true,
});

interface LanguageOfAllProps {
  unknown: readonly Draft[];
  languages: readonly ChoosableLanguage[];
}

/** Hundreds of files without a language are corrected at once. */
function LanguageOfAll({ unknown, languages }: LanguageOfAllProps) {
  const { t, nameLanguage } = useTexts("uploads");
  return (
    <NativeSelect
      label={t("uploads.languageOfAll")}
      maw={320}
      value=""
      data={[
        { value: "", label: t("uploads.choose") },
        ...languages.map((each) => ({ value: each.code, label: nameLanguage(each) })),
      ]}
      onChange={({ currentTarget: { value: languageCode } }) => {
        dispatchEdits(unknown, { languageCode, isIncluded: true });
      }}
    />
  );
}
