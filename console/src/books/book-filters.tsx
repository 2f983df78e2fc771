/** Search, order and filters of the list of books. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { channelsQuery } from "../channels/queries.ts";
import { isDay } from "../dates/range.ts";
import { languagesQuery } from "../languages/queries.ts";
import { FilterText } from "../lists/filter-text.tsx";
import { Filters } from "../lists/filters.tsx";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { type BookFilter, MISSING, MORE, needsMissingIn, SORTS, STATUSES } from "./book-filter.ts";

interface FiltersProps {
  filter: BookFilter;
  change(values: Record<string, string>): void;
}

function useLanguageOptions(none: string) {
  const { nameLanguage } = useTexts();
  const { data } = useQuery(languagesQuery);
  const languages = data?.languages.map((each) => ({ value: each.code, label: nameLanguage(each) })) ?? [];
  return [{ value: "", label: none }, ...languages];
}

export function BookFilters({ filter, change }: FiltersProps) {
  const { t } = useTexts("books");
  const languages = useLanguageOptions(t("books.anyLanguage"));
  return (
    <Filters
      list="books"
      moreInUse={MORE.filter((name) => filter[name] !== "").length}
      more={<MoreFilters filter={filter} change={change} />}
    >
      <FilterText
        wrapperProps={{ "data-wide": true }}
        type="search"
        label={t("words.search")}
        placeholder={t("books.searchHint")}
        value={filter.search}
        change={(search) => change({ search })}
      />
      <NativeSelect
        label={t("books.status")}
        value={filter.status}
        data={STATUSES.map((status) => ({ value: status, label: t(`books.${status}`) }))}
        onChange={({ currentTarget: { value } }) => change({ status: value === "active" ? "" : value })}
      />
      <NativeSelect
        label={t("words.language")}
        value={filter.languageCode}
        data={languages}
        onChange={({ currentTarget: { value } }) => change({ languageCode: value })}
      />
      <NativeSelect
        label={t("books.sort")}
        value={filter.sort}
        data={SORTS.map((sort) => ({ value: sort, label: t(`books.sorts.${sort}`) }))}
        onChange={({ currentTarget: { value } }) => change({ sort: value === "sortOrder" ? "" : value })}
      />
    </Filters>
  );
}

function MoreFilters({ filter, change }: FiltersProps) {
  const { t } = useTexts("books");
  const languages = useLanguageOptions(t("books.anyLanguage"));
  return (
    <>
      <NativeSelect
        label={t("books.publishedIn")}
        value={filter.publishedIn}
        data={languages}
        onChange={({ currentTarget: { value } }) => change({ publishedIn: value })}
      />
      <ChannelFilter filter={filter} change={change} />
      <MissingFilter filter={filter} change={change} />
      {(["tag", "author", "series"] as const).map((name) => (
        <FilterText
          key={name}
          label={t(`books.${name}`)}
          value={filter[name]}
          change={(text) => change({ [name]: text })}
        />
      ))}
      <FilterText
        type="date"
        label={t("books.updatedSince")}
        value={filter.updatedSince}
        change={(day) => {
          if (day === "" || isDay(day)) change({ updatedSince: day });
        }}
      />
    </>
  );
}

function MissingFilter({ filter, change }: FiltersProps) {
  const { t } = useTexts("books");
  const languages = useLanguageOptions("");
  return (
    <>
      <NativeSelect
        label={t("books.missing")}
        value={filter.missing}
        data={[
          { value: "", label: t("books.nothingMissing") },
          ...MISSING.map((value) => ({ value, label: t(`books.missingOf.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          // The language of the list is the likeliest one.
          change({ missing: value, missingIn: value && (filter.missingIn || filter.languageCode) })
        }
      />
      {filter.missing !== "" && (
        <NativeSelect
          label={t("books.missingIn")}
          value={filter.missingIn}
          data={languages}
          description={needsMissingIn(filter) ? t("books.missingInHint") : undefined}
          onChange={({ currentTarget: { value } }) => change({ missingIn: value })}
        />
      )}
    </>
  );
}

function ChannelFilter({ filter, change }: FiltersProps) {
  const { t } = useTexts("books");
  const canView = usePermission("view_channels");
  const { data } = useQuery({ ...channelsQuery, enabled: canView });
  const channels = data?.channels.map(({ slug, name }) => ({ value: slug, label: name })) ?? [];
  return (
    <NativeSelect
      label={t("books.channel")}
      value={filter.channel}
      data={[{ value: "", label: t("books.anyChannel") }, ...channels]}
      onChange={({ currentTarget: { value } }) => change({ channel: value })}
    />
  );
}
