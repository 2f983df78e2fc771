/** The range of days of a page and the time zone in which they begin; both stand in the address. */
import { NativeSelect } from "@mantine/core";
import { useMemo } from "react";
import { useTexts } from "../messages/index.tsx";
import { FilterText } from "../shell/filter-text.tsx";
import { datesMessages } from "./messages.ts";
import { findPreset, findRange, findToday, isDay, PRESETS, type Range } from "./range.ts";
import { keepZone, listZones } from "./zones.ts";

interface RangeFieldsProps {
  range: Range;
  timezone: string;
  /** Whether both ends can be open. */
  canBeOpen?: boolean;
  change(values: Readonly<Record<string, string>>): void;
}

export function RangeFields({ range, timezone, canBeOpen = false, change }: RangeFieldsProps) {
  const { t } = useTexts(datesMessages);
  const zones = useMemo(() => listZones(timezone), [timezone]);
  const today = findToday(timezone);
  const isOpen = range.startDate === "" && range.endDate === "";
  const chosen = isOpen && canBeOpen ? "always" : (findPreset(range, today) ?? "own");
  const choose = (value: string) => {
    const preset = PRESETS.find((each) => each === value);
    if (preset) change({ ...findRange(preset, today) });
    else if (value === "always") change({ startDate: "", endDate: "" });
  };
  const day = (name: keyof Range) => ({
    type: "date",
    value: range[name],
    change: (value: string) => {
      if (value === "" || isDay(value)) change({ ...range, [name]: value });
    },
  });
  return (
    <>
      <NativeSelect
        label={t.dates.range}
        value={chosen}
        data={[
          ...(canBeOpen ? [{ value: "always", label: t.dates.always }] : []),
          ...PRESETS.map((preset) => ({ value: preset, label: t.dates.presets[preset] })),
          ...(chosen === "own" ? [{ value: "own", label: t.dates.own }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <FilterText label={t.dates.from} {...day("startDate")} />
      <FilterText label={t.dates.to} {...day("endDate")} />
      <NativeSelect
        label={t.dates.timezone}
        value={timezone}
        data={zones}
        onChange={({ currentTarget: { value } }) => {
          keepZone(value);
          change({ timezone: value });
        }}
      />
    </>
  );
}
