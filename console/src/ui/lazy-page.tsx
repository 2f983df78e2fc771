/** Pages and parts of them whose code is loaded when they are first opened. */
import { type ComponentType, lazy, useEffect, useRef } from "react";
import { createSilence, Problem, SILENCE_MS } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { type FileName, loadTexts } from "../messages/texts.ts";
import { Page } from "./page.tsx";
import { LoadFailure, useNotifyProblem } from "./problems.tsx";

type Module<Props> = { default: ComponentType<Props> };

/** @throws Problem if the code can't be loaded, or isn't there in time */
export async function loadInTime<Code>(load: () => Promise<Code>): Promise<Code> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(createSilence()), SILENCE_MS);
  const loading = load().catch(() => Promise.reject(new Problem(0, {})));
  try {
    return await Promise.race([loading, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Shows in the place of a page that it can't be loaded, or isn't there in time.
 * @param files the texts that are loaded beside it
 */
export const lazyPage = (load: () => Promise<Module<object>>, ...files: readonly FileName[]) =>
  lazy(() => loadWith(load, files).catch((error) => ({ default: () => <PageFailure error={error} /> })));

/** A part without which the page goes on: what was typed there stays. */
export const lazyPart = <Props extends object>(
  load: () => Promise<Module<Props>>,
  ...files: readonly FileName[]
) => lazy(() => loadWith(load, files).catch((error) => ({ default: () => <PartFailure error={error} /> })));

const loadWith = <Code,>(load: () => Promise<Code>, files: readonly FileName[]): Promise<Code> =>
  loadInTime(() => Promise.all([load(), loadTexts(files)])).then(([code]) => code);

/** Browsers keep a failure of code until the window is loaded again. */
function PageFailure({ error }: { error: unknown }) {
  const { t } = useTexts();
  return (
    <Page title={t("problems.title")}>
      <LoadFailure error={error} retry={() => window.location.reload()} />
    </Page>
  );
}

function PartFailure({ error }: { error: unknown }) {
  const notify = useNotifyProblem();
  const first = useRef(() => notify(error));
  useEffect(() => first.current(), []);
  return null;
}
