/** The reports of the overview, each with its picture. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { readPreset } from "../dates/range.ts";
import { DownloadTable } from "../downloads/download-table.tsx";
import { DEVICE_TYPES } from "../downloads/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { OutdatedProvider } from "../ui/outdated.tsx";
import { useAddress } from "../ui/use-address.ts";
import { BarTable } from "./bar-table.tsx";
import { Panel } from "./panel.tsx";
import {
  booksQuery,
  campaignsQuery,
  countriesReportQuery,
  devicesQuery,
  languagesReportQuery,
  latestQuery,
  type Period,
} from "./queries.ts";

const WorldPicture = lazyPart(() => import("./world-picture.tsx"));

/** The name of a file says what it contains, and of which days. */
export const nameFile = (what: string, { range }: Period): string =>
  `downloads-${what}-${range.startDate}-${range.endDate}`;

/** The counts that every report has, as cells. */
const COUNTS = ["totalDownloads", "totalBooks", "uniqueContacts", "redeemed"] as const;
/** Of the books after the first ones it isn't known how many links were used. */
type Counts = Record<(typeof COUNTS)[number], number | undefined> & { totalDownloads: number };
const writeCounts = (row: Counts): (number | string)[] => COUNTS.map((name) => row[name] ?? "");

/** A row of a report and how it is shown. */
interface Row extends Counts {
  key: string;
  name: string;
  /** In the file before the counts. */
  code: string;
  to?: string | undefined;
}

/** With their headings first. */
const writeRows = (codeHeading: string, rows: readonly Row[]) => [
  [codeHeading, "name", ...COUNTS],
  ...rows.map((row) => [row.code, row.name, ...writeCounts(row)]),
];

interface RowsPanelProps {
  title: string;
  heading: string;
  fileName: string;
  codeHeading: string;
  rows: readonly Row[];
}

/** The sentence names the first row, which is what a picture is looked at for. */
function RowsPanel({ title, heading, fileName, codeHeading, rows }: RowsPanelProps) {
  const { t, formatPercent } = useTexts("overview");
  const total = rows.reduce((sum, { totalDownloads }) => sum + totalDownloads, 0);
  const [first] = rows;
  const sentence =
    first === undefined || total === 0
      ? t("overview.none")
      : t("overview.first", {
          name: isolate(first.name),
          share: formatPercent(first.totalDownloads / total),
          rows: rows.length,
        });
  return (
    <Panel title={title} sentence={sentence} csv={{ name: fileName, rows: writeRows(codeHeading, rows) }}>
      {rows.length > 0 && (
        <BarTable
          name={title}
          heading={heading}
          bars={rows.map(({ key, name, to, totalDownloads }) => ({
            key,
            count: totalDownloads,
            label: to ? (
              <Anchor component={Link} to={to} c="inherit" inherit>
                <bdi>{name}</bdi>
              </Anchor>
            ) : (
              <bdi>{name}</bdi>
            ),
          }))}
        />
      )}
    </Panel>
  );
}

/** What comes after the first rows, as one row. */
const listOthers = (others: Schemas["OtherDownloads"] | undefined, name: (rows: number) => string): Row[] =>
  others && others.totalDownloads > 0
    ? [{ ...others, redeemed: undefined, key: "others", code: "", name: name(others.rows) }]
    : [];

export function TopBooks({ period }: { period: Period }) {
  const { t } = useTexts("overview");
  return (
    <Loaded query={useQuery(booksQuery(period))}>
      {({ data, others }) => (
        <RowsPanel
          title={t("overview.books")}
          heading={t("words.book")}
          codeHeading="bookId"
          fileName={nameFile("by-book", period)}
          rows={[
            ...data.map((row) => ({
              ...row,
              key: row.bookId,
              code: row.bookId,
              name: row.bookTitle,
              to: `/books/${row.bookId}`,
            })),
            ...listOthers(others, (count) => t("overview.others", { count })),
          ]}
        />
      )}
    </Loaded>
  );
}

export function Languages({ period }: { period: Period }) {
  const { t, nameLanguage } = useTexts("overview");
  return (
    <Loaded query={useQuery(languagesReportQuery(period))}>
      {({ data }) => (
        <RowsPanel
          title={t("overview.languages")}
          heading={t("words.language")}
          codeHeading="languageCode"
          fileName={nameFile("by-language", period)}
          rows={data.map((row) => ({
            ...row,
            key: String(row.languageId),
            code: row.languageCode,
            name: nameLanguage({ code: row.languageCode, name: row.languageName }),
          }))}
        />
      )}
    </Loaded>
  );
}

export function Devices({ period }: { period: Period }) {
  const { t } = useTexts("overview");
  const { t: names } = useTexts("downloads");
  return (
    <Loaded query={useQuery(devicesQuery(period))}>
      {({ data }) => (
        <RowsPanel
          title={t("overview.devices")}
          heading={t("words.device")}
          codeHeading="deviceType"
          fileName={nameFile("by-device", period)}
          rows={data.map((row) => {
            const type = DEVICE_TYPES.find((each) => each === row.deviceType) ?? "other";
            return {
              ...row,
              key: row.deviceType,
              code: row.deviceType,
              name: names(`downloads.devices.${type}`),
            };
          })}
        />
      )}
    </Loaded>
  );
}

export function Campaigns({ period }: { period: Period }) {
  const { t } = useTexts("overview");
  return (
    <Loaded query={useQuery(campaignsQuery(period))}>
      {({ campaigns, others }) => (
        <RowsPanel
          title={t("overview.campaigns")}
          heading={t("overview.campaign")}
          codeHeading="utmSource / utmMedium / utmCampaign"
          fileName={nameFile("by-campaign", period)}
          rows={[
            ...campaigns.map((row) => {
              const parts = [row.utmSource, row.utmMedium, row.utmCampaign];
              const code = parts.map((part) => part ?? "").join(" / ");
              const isNone = parts.every((part) => part === null);
              return { ...row, key: code, code, name: isNone ? t("overview.noCampaign") : code };
            }),
            ...listOthers(others, (count) => t("overview.otherCampaigns", { count })),
          ]}
        />
      )}
    </Loaded>
  );
}

export function Countries({ period }: { period: Period }) {
  const { t, nameCountry } = useTexts("overview");
  const query = useQuery(countriesReportQuery(period));
  const { data: report } = query;
  const counts = useMemo(
    () => new Map(report?.data.map(({ countryCode, totalDownloads }) => [countryCode, totalDownloads])),
    [report],
  );
  return (
    <Loaded query={query}>
      {({ data }) => {
        const rows = data.map((row) => ({
          ...row,
          key: row.countryCode,
          code: row.countryCode,
          name: row.countryCode ? nameCountry(row.countryCode, row.countryName) : t("overview.unknownPlace"),
        }));
        const fileName = nameFile("by-country", period);
        return (
          <>
            <Panel
              title={t("overview.map")}
              sentence={t("overview.mapSentence", {
                count: data.filter(({ countryCode }) => countryCode !== "").length,
              })}
              csv={{ name: fileName, rows: writeRows("countryCode", rows) }}
            >
              <Suspense>
                <WorldPicture counts={counts} />
              </Suspense>
            </Panel>
            <RowsPanel
              title={t("overview.countries")}
              heading={t("words.country")}
              codeHeading="countryCode"
              fileName={fileName}
              rows={rows}
            />
          </>
        );
      }}
    </Loaded>
  );
}

export function Latest({ period }: { period: Period }) {
  const { t } = useTexts("overview");
  const preset = readPreset(useAddress().query);
  const range = preset ? { range: preset } : period.range;
  const query = new URLSearchParams({ ...range, timezone: period.timezone });
  const latest = useQuery(latestQuery(period));
  const rows = latest.data?.downloads ?? [];
  return (
    <OutdatedProvider value={latest.isPlaceholderData}>
      <Panel
        title={t("overview.latest")}
        sentence={rows.length === 0 && latest.data ? t("overview.none") : t("overview.latestSentence")}
        csv={latest.data && { name: nameFile("latest", period), rows: writeDownloads(rows) }}
        isWide
      >
        <Loaded query={latest} empty={{ when: ({ downloads }) => downloads.length === 0, text: "" }}>
          {({ downloads }) => <DownloadTable downloads={downloads} timezone={period.timezone} />}
        </Loaded>
        <Anchor component={Link} to={`/downloads?${query}`}>
          {t("overview.allDownloads")}
        </Anchor>
      </Panel>
    </OutdatedProvider>
  );
}

const LATEST = [
  "downloadedAt",
  "bookId",
  "bookTitle",
  "languageCode",
  "fileType",
  "contactEmail",
  "countryCode",
  "city",
  "deviceType",
  "redeemedAt",
] as const satisfies readonly (keyof Schemas["DownloadEvent"])[];

const writeDownloads = (downloads: readonly Schemas["DownloadEvent"][]) => [
  [...LATEST],
  ...downloads.map((download) => LATEST.map((name) => download[name] ?? "")),
];
