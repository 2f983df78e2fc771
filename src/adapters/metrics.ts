/** Metrics for Prometheus: of the process, and of the service, which are collected only when they are scraped. */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from "prom-client";

export type { Metric } from "prom-client";

/** A number, or one for each value of the metric's label; undefined if there is none. */
export type Reading = number | undefined | Readonly<Record<string, number>>;

interface ScrapedMetric {
  name: string;
  help: string;
  /** Only for a reading by the values of a label. */
  label?: string;
  read(): Reading | Promise<Reading>;
}

/** The metrics of the service. Import it as a type: the library is loaded only if METRICS_TOKEN is set. */
export class Metrics {
  readonly registry = new Registry();

  /** Adds a value that can decrease. Without a reading, or if `read` fails, the metric has no samples. */
  addGauge(metric: ScrapedMetric): void {
    this.#add(Gauge, metric);
  }

  /** Like `gauge`, for a value that only increases. */
  addCounter(metric: ScrapedMetric): void {
    this.#add(Counter, metric);
  }

  #add(Metric: typeof Gauge | typeof Counter, { name, help, label, read }: ScrapedMetric): void {
    const labelNames = label === undefined ? [] : [label];
    const collect = async () => fill(metric, label, await attempt(read));
    const registers = [this.registry];
    const metric: Gauge | Counter = new Metric({ name, help, labelNames, registers, collect });
  }
}

/** A histogram that no registry has yet: commands have none. */
export const createHistogram = <L extends string>(options: Omit<HistogramConfiguration<L>, "registers">) =>
  new Histogram({ ...options, registers: [] });

/** If a disk fails, the other metrics are needed most. */
async function attempt(read: ScrapedMetric["read"]): Promise<Reading> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/** Synchronous, so that concurrent scrapes don't add up. */
function fill(metric: Gauge | Counter, label = "", reading: Reading): void {
  metric.reset();
  // A metric without a label is reset to 0, which isn't the same as absent.
  metric.remove({});
  if (typeof reading === "number") metric.inc({}, reading);
  else for (const [value, number] of Object.entries(reading ?? {})) metric.inc({ [label]: value }, number);
}

let processRegistry: Registry | undefined;

/**
 * The standard `process_` and `nodejs_` metrics. They are started once and never stopped, since prom-client can't stop
 * them, and don't keep the process running.
 */
export function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
