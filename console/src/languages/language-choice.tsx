/** A field that filters a list by a language. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { languagesQuery } from "./queries.ts";

interface LanguageChoiceProps {
  /** The id of the language; empty: any. */
  value: string;
  change(languageId: string): void;
}

export function LanguageChoice({ value, change }: LanguageChoiceProps) {
  const { t, nameLanguage } = useTexts("languages");
  const canView = usePermission("view_languages");
  const { data } = useQuery({ ...languagesQuery, enabled: canView });
  if (!canView) return null;
  const languages =
    data?.languages.map((each) => ({ value: String(each.id), label: nameLanguage(each) })) ?? [];
  return (
    <NativeSelect
      label={t("words.language")}
      value={value}
      data={[{ value: "", label: t("languages.any") }, ...languages]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
