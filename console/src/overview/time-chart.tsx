/** Downloads over time as lines, from left to right in every language. Loaded only when it is shown. */
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTexts } from "../messages/index.tsx";
import classes from "./overview.module.css";

interface TimeChartProps {
  /** First days of the periods: `YYYY-MM-DD`. */
  days: readonly string[];
  now: readonly number[];
  /** Of the range before; it can have a period more or less. */
  before: readonly number[];
}

const HEIGHT = 260;
const DAY = 86_400;
/** Between labels: no day is named twice. From 30 days on, uPlot takes months. */
const STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY);

/** Drawn anew when the colours change: a canvas doesn't follow them. */
export default function TimeChart(props: TimeChartProps) {
  return <Lines key={useComputedColorScheme("light")} {...props} />;
}

function Lines({ days, now, before }: TimeChartProps) {
  const { language, formatNumber } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const times = days.map((day) => Date.parse(day) / 1000);
    const formats = { formatNumber, formatTime: createTimeFormat(language, times) };
    const options = { ...describeLines(getComputedStyle(element), formats), width: element.clientWidth };
    const earlier = times.map((_, index) => before[index] ?? null);
    const chart = new UPlot(options, [times, earlier, [...now]], element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, now, before, language, formatNumber]);
  return <div ref={place} className={classes.chart} dir="ltr" aria-hidden />;
}

/** Days in a short range, months in a long one. @param times in seconds */
function createTimeFormat(language: string, times: readonly number[]) {
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 200 * DAY;
  const parts = isLong
    ? ({ month: "short", year: "numeric" } as const)
    : ({ month: "short", day: "numeric" } as const);
  const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" });
  return (time: number) => format.format(time * 1000);
}

interface Formats {
  formatTime(time: number): string;
  formatNumber(value: number): string;
}

function describeLines(colours: CSSStyleDeclaration, { formatTime, formatNumber }: Formats) {
  const readColour = (name: string) => colours.getPropertyValue(`--mantine-${name}`);
  const dimmed = readColour("color-dimmed");
  const axis = { stroke: dimmed, grid: { stroke: readColour("color-default-border"), width: 1 } };
  return {
    height: HEIGHT,
    // The days of the range don't depend on the browser's time zone.
    tzDate: (time: number) => UPlot.tzDate(new Date(time * 1000), "UTC"),
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      y: {
        range: (_chart: UPlot, _min: number, max: number): [number, number] => [0, Math.max(max * 1.1, 4)],
      },
    },
    axes: [
      {
        ...axis,
        space: 80,
        incrs: STEPS,
        values: (_chart: UPlot, splits: number[]) => splits.map(formatTime),
      },
      {
        ...axis,
        size: 60,
        values: (_chart: UPlot, splits: number[]) =>
          splits.map((value) => (Number.isInteger(value) ? formatNumber(value) : "")),
      },
    ],
    series: [
      {},
      { stroke: dimmed, width: 1.5, dash: [6, 4] },
      { stroke: readColour("color-anchor"), width: 2.5 },
    ],
  };
}
