/** The language whose texts are shown, and the question before typed ones are lost. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Schemas } from "../api/client.ts";
import { askToLeave } from "../forms/leave-question.tsx";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { useAddress } from "../ui/use-address.ts";
import { textsQuery } from "./queries.ts";
import { TextsForm } from "./texts-form.tsx";

type Language = Schemas["ListedLanguage"];

export function TextsSection() {
  const { t } = useTexts("library");
  const query = useQuery(languagesQuery);
  return (
    <Loaded
      query={query}
      empty={{ when: ({ languages }) => languages.length === 0, text: t("library.noLanguages") }}
    >
      {({ languages }) => <TextsOfLanguage languages={languages} />}
    </Loaded>
  );
}

/** Others fall back to the English texts. */
const chooseFirst = (languages: readonly Language[], wanted: string | null) =>
  languages.find(({ code }) => code === wanted) ??
  languages.find(({ code }) => code === "en") ??
  languages[0];

function TextsOfLanguage({ languages }: { languages: readonly Language[] }) {
  const { t, nameLanguage } = useTexts("library");
  const { query, change } = useAddress();
  const code = chooseFirst(languages, query.get("language"))?.code ?? "";
  const texts = useQuery(textsQuery(code));
  const isDirty = useRef(false);
  const choose = (language: string) => {
    const leave = () => change({ language });
    if (isDirty.current) askToLeave({ leave });
    else leave();
  };
  return (
    <>
      <NativeSelect
        label={t("words.language")}
        description={t("library.textsHint")}
        value={code}
        data={languages.map((each) => ({ value: each.code, label: nameLanguage(each) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Loaded query={texts}>
        {(loaded) => <TextsForm key={code} texts={loaded} isDirtyNow={isDirty} />}
      </Loaded>
    </>
  );
}
