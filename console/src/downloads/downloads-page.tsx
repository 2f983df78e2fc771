/** The log of downloads: who requested what, when and where. */
import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { BookChoice } from "../books/book-choice.tsx";
import { RangeFields } from "../dates/range-fields.tsx";
import { LanguageChoice } from "../languages/language-choice.tsx";
import { readPage } from "../lib/address.ts";
import { FilterText } from "../lists/filter-text.tsx";
import { Filters } from "../lists/filters.tsx";
import { PagedList } from "../lists/paged-list.tsx";
import { useTexts } from "../messages/index.tsx";
import { readZone } from "../messages/zones.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { type Address, useAddress } from "../ui/use-address.ts";
import { DownloadTable } from "./download-table.tsx";
import {
  countriesQuery,
  DEVICE_TYPES,
  type DownloadFilter,
  downloadExportPath,
  downloadListQuery,
  FILE_TYPES,
  readFilter,
} from "./queries.ts";

export default function DownloadsPage() {
  const { t } = useTexts("downloads");
  const address = useAddress();
  const { query, change } = address;
  const timezone = readZone(query);
  const filter = readFilter(query, timezone);
  const canView = usePermission("view_analytics");
  const list = useQuery({ ...downloadListQuery(filter, timezone, readPage(query)), enabled: canView });
  return (
    <PermittedPage
      permission="view_analytics"
      title={t("nav.downloads")}
      actions={
        <Button component="a" href={downloadExportPath(filter, timezone)} download variant="default">
          {t("downloads.export")}
        </Button>
      }
    >
      <DownloadFilters filter={filter} timezone={timezone} query={query} change={change} />
      {filter.contactId !== "" && (
        <Group>
          <Text>{t("downloads.oneContact")}</Text>
          <Button variant="default" size="compact-sm" onClick={() => change({ contactId: "" })}>
            {t("downloads.everyContact")}
          </Button>
        </Group>
      )}
      <PagedList query={list} address={address} rowsOf={({ downloads }) => downloads} list="downloads">
        {(downloads) => <DownloadTable downloads={downloads} timezone={timezone} />}
      </PagedList>
    </PermittedPage>
  );
}

interface FilterProps extends Pick<Address, "change"> {
  filter: DownloadFilter;
}

interface RangedFilterProps extends FilterProps, Pick<Address, "query"> {
  timezone: string;
}

function DownloadFilters({ filter, timezone, query, change }: RangedFilterProps) {
  const { t } = useTexts("downloads");
  const { search, startDate, endDate, contactId: _, ...others } = filter;
  return (
    <Filters
      list="downloads"
      moreInUse={Object.values(others).filter((value) => value !== "").length}
      more={<MoreFilters filter={filter} change={change} />}
    >
      <FilterText
        wrapperProps={{ "data-wide": true }}
        type="search"
        label={t("words.search")}
        placeholder={t("downloads.searchHint")}
        value={search}
        change={(value) => change({ search: value })}
      />
      <RangeFields range={{ startDate, endDate }} timezone={timezone} query={query} change={change} />
    </Filters>
  );
}

function MoreFilters({ filter, change }: FilterProps) {
  const { t, nameCountry } = useTexts("downloads");
  const { data: countries } = useQuery(countriesQuery);
  const select = (name: "countryCode" | "deviceType" | "fileType" | "isRedeemed") => ({
    value: filter[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ [name]: value }),
  });
  const text = (name: "utmSource" | "utmMedium" | "utmCampaign") => ({
    value: filter[name],
    change: (value: string) => change({ [name]: value }),
  });
  const any = { value: "", label: t("downloads.any") };
  const codes = new Map(countries?.data.map(({ countryCode, countryName }) => [countryCode, countryName]));
  codes.delete("");
  if (filter.countryCode !== "" && !codes.has(filter.countryCode))
    codes.set(filter.countryCode, filter.countryCode);
  return (
    <>
      <LanguageChoice value={filter.languageId} change={(languageId) => change({ languageId })} />
      <BookChoice value={filter.bookId} change={(bookId) => change({ bookId })} />
      <NativeSelect
        label={t("words.country")}
        data={[any, ...[...codes].map(([value, name]) => ({ value, label: nameCountry(value, name) }))]}
        {...select("countryCode")}
      />
      <NativeSelect
        label={t("words.device")}
        data={[any, ...DEVICE_TYPES.map((value) => ({ value, label: t(`downloads.devices.${value}`) }))]}
        {...select("deviceType")}
      />
      <NativeSelect
        label={t("downloads.fileType")}
        data={[any, ...FILE_TYPES.map((value) => ({ value, label: value.toUpperCase() }))]}
        {...select("fileType")}
      />
      <NativeSelect
        label={t("downloads.link")}
        data={[
          any,
          { value: "true", label: t("downloads.used") },
          { value: "false", label: t("downloads.unused") },
        ]}
        {...select("isRedeemed")}
      />
      <FilterText label={t("downloads.source")} {...text("utmSource")} />
      <FilterText label={t("downloads.medium")} {...text("utmMedium")} />
      <FilterText label={t("downloads.campaign")} {...text("utmCampaign")} />
      <NativeSelect
        label={t("downloads.bots")}
        value={filter.includeBots}
        data={[
          { value: "", label: t("downloads.botsLeftOut") },
          { value: "true", label: t("downloads.botsIncluded") },
        ]}
        onChange={({ currentTarget }) => change({ includeBots: currentTarget.value })}
      />
    </>
  );
}
