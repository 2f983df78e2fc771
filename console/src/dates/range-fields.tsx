/** The range of days of a page and the time zone in which they begin; both stand in the address. */
import { NativeSelect } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import { FilterText } from "../lists/filter-text.tsx";
import { useTexts } from "../messages/index.tsx";
import { keepZone, listZones } from "../messages/zones.ts";
import type { Address } from "../ui/use-address.ts";
import { keepRange } from "./kept-range.ts";
import { isDay, PRESETS, type Preset, type Range, readPreset } from "./range.ts";

interface RangeFieldsProps extends Pick<Address, "query" | "change"> {
  /** The days that the address means. */
  range: Range;
  timezone: string;
  /** What the page begins with; without it, with all time. */
  preset?: Preset;
}

export function RangeFields({ query, change, range, timezone, preset }: RangeFieldsProps) {
  const { t } = useTexts();
  const zones = useMemo(() => listZones(timezone), [timezone]);
  const { shown, choose, chooseZone } = useRangeChoice({ query, change, range, timezone, preset });
  const day = (name: keyof Range) => ({
    type: "date",
    value: range[name],
    change: (value: string) => {
      if (value === "" || isDay(value)) choose({ ...range, [name]: value });
    },
  });
  return (
    <>
      <NativeSelect
        label={t("dates.range")}
        value={shown}
        data={[
          ...(preset === undefined ? [{ value: "always", label: t("dates.always") }] : []),
          ...PRESETS.map((each) => ({ value: each, label: t(`dates.presets.${each}`) })),
          ...(shown === "own" ? [{ value: "own", label: t("dates.own") }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== "own") choose({ range: value === "always" ? "" : value });
        }}
      />
      <FilterText label={t("dates.from")} {...day("startDate")} />
      <FilterText label={t("dates.to")} {...day("endDate")} />
      <NativeSelect
        label={t("dates.timezone")}
        value={timezone}
        data={zones}
        onChange={({ currentTarget: { value } }) => chooseZone(value)}
      />
    </>
  );
}

function useRangeChoice({ query, change, range, timezone, preset }: RangeFieldsProps) {
  const named = readPreset(query);
  // What a page begins with is no choice that holds on other pages.
  const isChosen = preset === undefined || named !== preset;
  useEffect(() => {
    if (isChosen) keepRange(query);
  }, [isChosen, query]);
  // A zone that was chosen a moment ago may not stand in the address yet.
  const zone = useRef(timezone);
  useEffect(() => {
    zone.current = timezone;
  }, [timezone]);
  const chooseZone = (value: string) => {
    zone.current = value;
    keepZone(value);
    change({ timezone: value });
  };
  const isOpen = range.startDate === "" && range.endDate === "";
  const choose = (values: Readonly<Record<string, string>>) => {
    const chosen = { range: "", startDate: "", endDate: "", timezone: zone.current, ...values };
    keepRange(new URLSearchParams(chosen));
    change(chosen);
  };
  return { shown: named ?? (isOpen ? ("always" as const) : ("own" as const)), choose, chooseZone };
}
