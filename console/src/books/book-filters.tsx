/** Search, order and filters of the list of books. */
import { Button, Collapse, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { channelsQuery } from "../channels/queries.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { FilterText } from "../shell/filter-text.tsx";
import { type BookFilter, MISSING, MORE, needsMissingIn, SORTS, STATUSES } from "./book-filter.ts";
import { booksMessages } from "./messages.ts";

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

export function Filters({ filter, change }: FiltersProps) {
  const { t } = useTexts(booksMessages);
  const inUse = MORE.filter((name) => filter[name] !== "").length;
  const [isOpen, { toggle }] = useDisclosure(inUse > 0);
  const languages = useLanguageOptions(t.books.anyLanguage);
  return (
    <search>
      <Group align="end">
        <FilterText
          type="search"
          label={t.books.search}
          placeholder={t.books.searchHint}
          value={filter.search}
          change={(search) => change({ search })}
          flex={1}
          miw={200}
        />
        <NativeSelect
          label={t.books.status}
          value={filter.status}
          data={STATUSES.map((status) => ({ value: status, label: t.books[status] }))}
          onChange={({ currentTarget: { value } }) => change({ status: value === "active" ? "" : value })}
        />
        <NativeSelect
          label={t.books.language}
          value={filter.languageCode}
          data={languages}
          onChange={({ currentTarget: { value } }) => change({ languageCode: value })}
        />
        <NativeSelect
          label={t.books.sort}
          value={filter.sort}
          data={SORTS.map((sort) => ({ value: sort, label: t.books.sorts[sort] }))}
          onChange={({ currentTarget: { value } }) => change({ sort: value === "sortOrder" ? "" : value })}
        />
        <Button variant="default" onClick={toggle} aria-expanded={isOpen} aria-controls="more-filters">
          {inUse > 0 ? t.books.moreInUse(inUse) : t.books.more}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id="more-filters">
        <MoreFilters filter={filter} change={change} />
      </Collapse>
    </search>
  );
}

function MoreFilters({ filter, change }: FiltersProps) {
  const { t } = useTexts(booksMessages);
  const languages = useLanguageOptions(t.books.anyLanguage);
  const missingLanguages = useLanguageOptions("");
  const isIncomplete = needsMissingIn(filter);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} pt="md" spacing="md">
      <NativeSelect
        label={t.books.publishedIn}
        value={filter.publishedIn}
        data={languages}
        onChange={({ currentTarget: { value } }) => change({ publishedIn: value })}
      />
      <ChannelFilter filter={filter} change={change} />
      <NativeSelect
        label={t.books.missing}
        value={filter.missing}
        data={[
          { value: "", label: t.books.nothingMissing },
          ...MISSING.map((value) => ({ value, label: t.books.missingOf[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          change({ missing: value, ...(value === "" && { missingIn: "" }) })
        }
      />
      {filter.missing !== "" && (
        <NativeSelect
          label={t.books.missingIn}
          value={filter.missingIn}
          data={missingLanguages}
          description={isIncomplete ? t.books.missingInHint : undefined}
          onChange={({ currentTarget: { value } }) => change({ missingIn: value })}
        />
      )}
      {(["tag", "author", "series"] as const).map((name) => (
        <FilterText
          key={name}
          label={t.books[name]}
          value={filter[name]}
          change={(text) => change({ [name]: text })}
        />
      ))}
      <TextInput
        type="date"
        label={t.books.updatedSince}
        value={filter.updatedSince}
        onChange={({ currentTarget: { value } }) => change({ updatedSince: value })}
      />
    </SimpleGrid>
  );
}

function ChannelFilter({ filter, change }: FiltersProps) {
  const { t } = useTexts(booksMessages);
  const canView = usePermission("view_channels");
  const { data } = useQuery({ ...channelsQuery, enabled: canView });
  const channels = data?.channels.map(({ slug, name }) => ({ value: slug, label: name })) ?? [];
  return (
    <NativeSelect
      label={t.books.channel}
      value={filter.channel}
      data={[{ value: "", label: t.books.anyChannel }, ...channels]}
      onChange={({ currentTarget: { value } }) => change({ channel: value })}
    />
  );
}
