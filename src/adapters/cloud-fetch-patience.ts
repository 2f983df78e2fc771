/** How long a fetch may take: the caller's signal and a total limit as one. */
import { asCloudFetchError, CloudFetchError } from "./cloud-fetch-error.ts";

export interface Patience {
  readonly signal: AbortSignal;
  /** The work, or the end of patience while it waits. */
  limit<Result>(work: Promise<Result>): Promise<Result>;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
  /** What to tell of a failure: if patience ran out, the reason for that; its effects on sockets say less. */
  explain(error: unknown): Error;
}

export function startPatience(totalMs: number, caller?: AbortSignal): Patience {
  const controller = new AbortController();
  const { signal } = controller;
  const ranOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  ranOut.catch(() => {}); // most often nobody is waiting any more
  const timer = setTimeout(() => {
    controller.abort(
      new CloudFetchError("timed_out", `The file took longer than ${totalMs / 1000} seconds.`),
    );
  }, totalMs);
  const leave = () => controller.abort(caller?.reason);
  caller?.addEventListener("abort", leave, { once: true });
  if (caller?.aborted) leave();
  return {
    signal,
    limit: (work) => Promise.race([work, ranOut]),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    },
    explain: (error) => {
      if (!signal.aborted) return asCloudFetchError(error);
      const { reason } = signal;
      return reason instanceof Error ? reason : new Error("The fetch was given up.", { cause: reason });
    },
  };
}
