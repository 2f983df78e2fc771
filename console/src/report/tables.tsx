/** The tables of the report. Those with many rows name the first ones, and count the others together. */
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useMemo } from "react";
import type { Schemas } from "../api/client.ts";
import { Cover } from "../books/cover.tsx";
import { DEVICE_TYPES } from "../downloads/queries.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import {
  booksQuery,
  countriesReportQuery,
  devicesQuery,
  languagesReportQuery,
  type Period,
} from "../overview/queries.ts";
import { usePermission } from "../session/session.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { type CountRow, CountTable } from "./count-table.tsx";
import { nameItself } from "./name-itself.ts";
import { monthsQuery } from "./queries.ts";
import classes from "./report.module.css";
import { Section } from "./section.tsx";

const WorldPicture = lazyPart(() => import("../overview/world-picture.tsx"));

/** So many rows have a name of their own: with more, the report would have a fifth page. */
const LANGUAGES = 25;
const COUNTRIES = 30;

interface TableProps {
  period: Period;
}

type Counts = Pick<Schemas["DownloadsOfPeriod"], "totalDownloads" | "totalBooks"> &
  Partial<Pick<Schemas["DownloadsOfPeriod"], "uniqueContacts" | "redeemed">>;

const row = (key: string, label: ReactNode, counts: Counts): CountRow => ({
  key,
  label,
  counts: [counts.totalDownloads, counts.totalBooks, counts.uniqueContacts, counts.redeemed],
});

/** Rows that aren't named. */
const rest = (label: string, counts: Counts): CountRow => ({ ...row("rest", label, counts), isRest: true });

/** The headings of these counts. */
function useColumns(): string[] {
  const { t } = useTexts("report", "overview");
  return [t("words.downloads"), t("overview.delivered"), t("report.readers"), t("overview.redeemed")];
}

interface CountedProps {
  title: string;
  heading: string;
  rows: CountRow[];
  /** Above the table. */
  picture?: ReactNode;
}

/** A table in a part of its own, or the sentence that there is nothing. */
function Counted({ title, heading, rows, picture }: CountedProps) {
  const { t } = useTexts("overview");
  const columns = useColumns();
  return (
    <Section title={title}>
      {picture}
      {rows.length === 0 ? (
        <Text>{t("overview.none")}</Text>
      ) : (
        <CountTable name={title} heading={heading} columns={columns} rows={rows} />
      )}
    </Section>
  );
}

export function Months({ period }: TableProps) {
  const { t, language } = useTexts("report", "overview");
  const format = useMemo(
    () => ({
      month: new Intl.DateTimeFormat(language, { year: "numeric", month: "long", timeZone: "UTC" }),
      year: new Intl.DateTimeFormat(language, { year: "numeric", timeZone: "UTC" }),
    }),
    [language],
  );
  return (
    <Loaded query={useQuery(monthsQuery(period))}>
      {({ data, granularity }) => (
        <Counted
          title={granularity === "month" ? t("overview.times.month") : t("report.byYear")}
          heading={t(`report.${granularity}`)}
          rows={data.map((each) => row(each.date, format[granularity].format(new Date(each.date)), each))}
        />
      )}
    </Loaded>
  );
}

/** The sum of rows. Their readers can be the same. */
function sum(rows: readonly Counts[]): Counts {
  const add = (name: "totalDownloads" | "totalBooks" | "redeemed") =>
    rows.reduce((total, { [name]: count = 0 }) => total + count, 0);
  return { totalDownloads: add("totalDownloads"), totalBooks: add("totalBooks"), redeemed: add("redeemed") };
}

/** @param nameRest writes how many rows aren't named */
function listFirst<Row extends Counts>(
  all: readonly Row[],
  { limit, toRow, nameRest }: { limit: number; toRow(row: Row): CountRow; nameRest(rows: number): string },
): CountRow[] {
  const others = all.slice(limit);
  const first = all.slice(0, limit).map(toRow);
  return others.length > 0 ? [...first, rest(nameRest(others.length), sum(others))] : first;
}

/** In its own words, and in those of the console. */
function LanguageName({ code, own, name }: { code: string; own: string; name: string }) {
  return (
    <>
      <bdi lang={code}>{own}</bdi>
      {own !== name && (
        <Text span inherit c="dimmed">
          {" · "}
          <bdi>{name}</bdi>
        </Text>
      )}
    </>
  );
}

export function Languages({ period }: TableProps) {
  const { t, nameLanguage } = useTexts("report", "overview");
  const canView = usePermission("view_languages");
  const { data: known } = useQuery({ ...languagesQuery, enabled: canView });
  const ownNames = new Map(known?.languages.map(({ code, nativeName }) => [code, nativeName]));
  const nameOf = ({ languageCode: code, languageName }: Schemas["DownloadsOfLanguage"]) => (
    <LanguageName
      code={code}
      own={ownNames.get(code) || nameItself(code) || languageName}
      name={nameLanguage({ code, name: languageName })}
    />
  );
  return (
    <Loaded query={useQuery(languagesReportQuery(period))}>
      {({ data }) => (
        <Counted
          title={t("overview.languages")}
          heading={t("words.language")}
          rows={listFirst(data, {
            limit: LANGUAGES,
            toRow: (each) => row(String(each.languageId), nameOf(each), each),
            nameRest: (count) => t("report.otherLanguages", { count }),
          })}
        />
      )}
    </Loaded>
  );
}

export function Countries({ period }: TableProps) {
  const { t, nameCountry } = useTexts("report", "overview");
  const nameOf = ({ countryCode: code, countryName }: Schemas["DownloadsOfCountry"]) =>
    code ? nameCountry(code, countryName) : t("overview.unknownPlace");
  return (
    <Loaded query={useQuery(countriesReportQuery(period))}>
      {({ data }) => (
        <Counted
          title={t("overview.countries")}
          picture={
            <div className={classes.map}>
              <Suspense>
                <WorldPicture counts={new Map(data.map((each) => [each.countryCode, each.totalDownloads]))} />
              </Suspense>
            </div>
          }
          heading={t("words.country")}
          rows={listFirst(data, {
            limit: COUNTRIES,
            toRow: (each) => row(each.countryCode, nameOf(each), each),
            nameRest: (count) => t("report.otherCountries", { count }),
          })}
        />
      )}
    </Loaded>
  );
}

export function TopBooks({ period }: TableProps) {
  const { t } = useTexts("overview");
  return (
    <Loaded query={useQuery(booksQuery(period))}>
      {({ data, others }) => (
        <Counted
          title={t("overview.books")}
          heading={t("words.book")}
          rows={[
            ...data.map((each) => row(each.bookId, <Book id={each.bookId} titleEn={each.bookTitle} />, each)),
            ...(others && others.rows > 0
              ? [rest(t("overview.others", { count: others.rows }), others)]
              : []),
          ]}
        />
      )}
    </Loaded>
  );
}

function Book(book: { id: string; titleEn: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Cover book={book} width={24} alt="" version="" loading="eager" />
      <bdi className={classes.title}>{book.titleEn}</bdi>
    </Group>
  );
}

export function Devices({ period }: TableProps) {
  const { t } = useTexts("overview");
  const { t: names } = useTexts("downloads");
  return (
    <Loaded query={useQuery(devicesQuery(period))}>
      {({ data }) => (
        <Counted
          title={t("overview.devices")}
          heading={t("words.device")}
          rows={data.map((each) => {
            const type = DEVICE_TYPES.find((known) => known === each.deviceType) ?? "other";
            return row(each.deviceType, names(`downloads.devices.${type}`), each);
          })}
        />
      )}
    </Loaded>
  );
}
