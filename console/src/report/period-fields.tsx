/** The days of the report: a quarter or a year from a list, or any others, and the time zone in which they begin. */
import { NativeSelect } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { keepRange } from "../dates/kept-range.ts";
import { findToday, isDay, type Range } from "../dates/range.ts";
import fields from "../lists/fields.module.css";
import { FilterText } from "../lists/filter-text.tsx";
import { useTexts } from "../messages/index.tsx";
import { keepZone, listZones } from "../messages/zones.ts";
import type { Period } from "../overview/queries.ts";
import type { Address } from "../ui/use-address.ts";
import { listPeriods, namePeriod } from "./periods.ts";
import classes from "./report.module.css";

const toValue = ({ startDate, endDate }: Range): string => `${startDate}/${endDate}`;

interface PeriodFieldsProps extends Pick<Address, "query" | "change"> {
  period: Period;
}

export function PeriodFields({ period: { range, timezone }, query, change }: PeriodFieldsProps) {
  const { t, language } = useTexts();
  const zones = useMemo(() => listZones(timezone), [timezone]);
  useEffect(() => keepRange(query), [query]);
  const periods = listPeriods(findToday(timezone));
  const chosen = periods.find((each) => toValue(each) === toValue(range));
  const day = (name: keyof Range) => ({
    type: "date",
    value: range[name],
    change(value: string) {
      if (isDay(value)) change({ ...range, [name]: value });
    },
  });
  return (
    <search className={`${fields.fields} ${classes.noPrint}`}>
      <NativeSelect
        wrapperProps={{ "data-wide": true }}
        label={t("dates.range")}
        value={chosen ? toValue(chosen) : ""}
        data={[
          ...(chosen ? [] : [{ value: "", label: t("dates.own") }]),
          ...periods.map((each) => ({ value: toValue(each), label: namePeriod(each, language) })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const next = periods.find((each) => toValue(each) === value);
          if (next) change({ ...next });
        }}
      />
      <FilterText label={t("dates.from")} {...day("startDate")} />
      <FilterText label={t("dates.to")} {...day("endDate")} />
      <NativeSelect
        label={t("dates.timezone")}
        value={timezone}
        data={zones}
        onChange={({ currentTarget: { value } }) => {
          keepZone(value);
          change({ timezone: value });
        }}
      />
    </search>
  );
}
