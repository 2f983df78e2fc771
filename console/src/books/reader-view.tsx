/** What readers of a language see of a book; if they don't, why, and the step that mends it. */
import { Alert, Anchor, Group, List, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { channelsQuery } from "../channels/queries.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { usePageActions } from "../ui/page-actions.ts";
import { Section } from "../ui/section.tsx";
import { useAddress } from "../ui/use-address.ts";
import { findPlace, groupByLanguage } from "./language-rows.ts";
import { previewQuery } from "./queries.ts";

type Details = Schemas["BookDetails"];

export function ReaderView({ details }: { details: Details }) {
  const { t, nameLanguage } = useTexts("books");
  const { query, change } = useAddress();
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const first = details.publishedLanguages[0] ?? groupByLanguage(details, languages)[0]?.code ?? "";
  const code = query.get("readers") ?? first;
  const section = useRef<HTMLDivElement>(null);
  const { hash, pathname, search, state } = useLocation();
  const go = useNavigate();
  usePageActions([
    {
      label: t("readers.title"),
      run: () => go({ pathname, search, hash: "readers" }, { replace: true, state }),
    },
  ]);
  useEffect(() => {
    if (hash === "#readers" && code) section.current?.scrollIntoView({ block: "center" });
  }, [hash, code]);
  return (
    <Section title={t("readers.title")} id="readers" ref={section}>
      <NativeSelect
        label={t("readers.language")}
        w="fit-content"
        value={code}
        data={[
          ...(code === "" ? [{ value: "", label: t("rows.chooseLanguage") }] : []),
          ...languages.map((each) => ({ value: each.code, label: nameLanguage(each) })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ readers: value })}
      />
      {code === "" ? <Text>{t("readers.none")}</Text> : <Preview details={details} code={code} />}
    </Section>
  );
}

function Preview({ details, code }: { details: Details; code: string }) {
  const query = useQuery(previewQuery(details.book.id, code));
  return (
    <div aria-live="polite">
      <Loaded query={query}>
        {(preview) =>
          preview.book ? (
            <Seen details={details} code={code} book={preview.book} remarks={preview.remarks} />
          ) : (
            <NotSeen reasons={preview.reasons} />
          )
        }
      </Loaded>
    </div>
  );
}

interface SeenProps {
  details: Details;
  code: string;
  book: Schemas["PublicBook"];
  remarks: readonly string[];
}

function Seen({ details, code, book, remarks }: SeenProps) {
  const { t } = useTexts("books");
  const types = [...new Set(book.files.map(({ fileType }) => fileType.toUpperCase()))].join(", ");
  const words: Record<string, string> = {
    no_translation: t("readers.noTranslation"),
    no_cover: t("readers.noCover"),
  };
  return (
    <Alert variant="default" icon="✓" title={t("readers.visible")}>
      <Stack gap="xs">
        <Text fw={500} lang={code} dir="auto" style={{ overflowWrap: "anywhere" }}>
          {book.title}
        </Text>
        {book.description && (
          <Text size="sm" lang={code} dir="auto" lineClamp={3}>
            {book.description}
          </Text>
        )}
        <List size="sm">
          <List.Item>{t("readers.files", { types })}</List.Item>
          <ChannelLine details={details} code={code} />
          {remarks.map((remark) => (
            <List.Item key={remark}>{words[remark] ?? t("readers.other", { code: remark })}</List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}

/** Readers of a site that asks for the books of a channel get only those. */
function ChannelLine({ details, code }: { details: Details; code: string }) {
  const { t, language: shown } = useTexts("books");
  const canView = usePermission("view_channels");
  const { data } = useQuery({ ...channelsQuery, enabled: canView });
  const language = useQuery(languagesQuery).data?.languages.find((each) => each.code === code);
  if (!data || !language || data.channels.length === 0) return null;
  const names = data.channels
    .filter(({ id }) => findPlace(details, id, language) !== undefined)
    .map(({ name }) => name);
  const list = new Intl.ListFormat(shown).format(names);
  return (
    <List.Item>
      {names.length === 0 ? t("readers.noChannel") : t("readers.onChannels", { names: list })}
    </List.Item>
  );
}

function NotSeen({ reasons }: { reasons: readonly string[] }) {
  const { t } = useTexts("books");
  const words: Record<string, { text: string; to?: string; link?: string }> = {
    archived: { text: t("readers.archived") },
    language_inactive: {
      text: t("readers.languageInactive"),
      to: "/languages",
      link: t("readers.toLanguages"),
    },
    no_file: { text: t("readers.noFile") },
    hidden: { text: t("readers.hidden"), to: "/languages", link: t("readers.toVisibility") },
    not_yet: { text: t("bookDates.notYet") },
    no_more: { text: t("bookDates.noMore") },
  };
  return (
    <Alert variant="default" icon="!" title={t("readers.invisible")}>
      <List size="sm">
        {reasons.map((reason) => {
          const { text, to, link } = words[reason] ?? { text: t("readers.other", { code: reason }) };
          return (
            <List.Item key={reason}>
              <Group gap="xs">
                {text}
                {to && (
                  <Anchor component={Link} to={to} size="sm" underline="always">
                    {link}
                  </Anchor>
                )}
              </Group>
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
