/** Figures of the process itself: what it takes of the machine, and how promptly it gets to its work. */
import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics, Reading } from "../lib/metrics.ts";

/** How often the loop is looked at; what an idle one shows, too. */
const RESOLUTION_MS = 20;
const NANOSECOND = 1e-9;
const MICROSECOND = 1e-6;

export function measureProcess(metrics: Metrics): void {
  metrics.gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  metrics.gauge(
    "nodejs_heap_used_bytes",
    "Memory of JavaScript objects.",
    () => process.memoryUsage().heapUsed,
  );
  metrics.counted("process_cpu_seconds_total", "Time on the processors, of all threads.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * MICROSECOND;
  });
  const startedAt = (performance.timeOrigin / 1000).toFixed(3);
  metrics.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", () =>
    Number(startedAt),
  );
  metrics.gauge("process_open_fds", "Open file descriptors.", openDescriptors);
  metrics.gauge(
    "event_loop_lag_seconds",
    "By how much the event loop was late since the figures were last read.",
    lagReader(),
  );
}

/** Only Linux shows them; the one that reads the list is in it. */
const openDescriptors = (): Promise<Reading> =>
  readdir("/proc/self/fd").then(
    (names) => names.length - 1,
    () => undefined,
  );

function lagReader(): () => Reading {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds * NANOSECOND - RESOLUTION_MS / 1000);
  return () => {
    const reading = [0.5, 0.99, 1].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: late(delays.percentile(quantile * 100)),
    }));
    delays.reset();
    return reading;
  };
}
