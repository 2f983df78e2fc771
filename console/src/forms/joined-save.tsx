/**
 * Saves a form for the version that it began with. If someone else saved another one meanwhile, it shows field by field
 * what they changed: changes of different fields are joined with one click, and of the same field one is chosen.
 */
import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { mayBeDone, Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useDescribeProblem, useShowProblem } from "../ui/problems.tsx";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { joinChanges } from "./join-changes.ts";
import {
  changeSave,
  type FormFields,
  type SaveEvent,
  type Stored,
  settle,
  startSave,
  takesOver,
} from "./save-state.ts";

/** @param isAll whether the form is still shown and contains nothing that was typed meanwhile: only then may it be closed */
export type OnSaved = (isAll: boolean) => void;

export interface JoinedSaveOptions<Fields extends FormFields> {
  form: UseFormReturnType<Fields>;
  stored: Stored<Fields>;
  /** The names of the fields, as they stand in the form. */
  labels: Readonly<Record<keyof Fields & string, string>>;
  /** Reads the record as it is now. */
  read(): Promise<Stored<Fields> | undefined>;
  /** @throws Problem with 412 if the record isn't in that version any more */
  save(fields: Fields, before: Stored<Fields>): Promise<Stored<Fields>>;
  /** What is read again after a save. */
  keys: readonly string[];
}

export function useJoinedSave<Fields extends FormFields>(options: JoinedSaveOptions<Fields>) {
  const { form, labels } = options;
  const saving = useSaveState(options.stored);
  const store = useStoring(options, saving);
  const { before, theirs, isStoring } = saving.state;
  /** One after the other: the version that a second one changes is known after the first. */
  const begin = async (fields: Fields, from: Stored<Fields>, onSaved: OnSaved) => {
    if (saving.latest().isStoring) return;
    saving.dispatch({ type: "began" });
    await store(fields, from, { given: fields, onSaved }).finally(() => saving.dispatch({ type: "ended" }));
  };
  const notice = (onSaved: OnSaved): ReactNode =>
    theirs && (
      <ChangedMeanwhile
        before={before.fields}
        typed={form.values}
        theirs={theirs.fields}
        change={theirs.change}
        labels={labels}
        isPending={isStoring}
        settle={(fields) => {
          form.setValues(fields);
          void begin(fields, theirs, onSaved);
        }}
      />
    );
  return {
    /** Saves what the form contains. */
    store: (fields: Fields, onSaved: OnSaved) => begin(fields, before, onSaved),
    isPending: isStoring,
    /** In the form, above its fields. */
    notice,
  };
}

/** What is dispatched holds at once, also before the next rendering: `latest` gives it. */
function useSaveState<Fields>(stored: Stored<Fields>) {
  const [state, setState] = useState(() => startSave(stored));
  const current = useRef(state);
  const latest = () => current.current;
  const dispatch = (event: SaveEvent<Fields>) => {
    current.current = changeSave(current.current, event);
    setState(current.current);
  };
  return { state, latest, dispatch };
}

type SavingState<Fields> = ReturnType<typeof useSaveState<Fields>>;

interface Attempt<Fields> {
  /** What the form contained. */
  given: Fields;
  onSaved: OnSaved;
}

interface Failed<Fields> {
  fields: Fields;
  from: Stored<Fields>;
  error: unknown;
}

/** Sends what a form contains, until it is saved, failed, or the user is asked. */
function useStoring<Fields extends FormFields>(
  { form, stored, read, save, keys }: JoinedSaveOptions<Fields>,
  { latest, dispatch }: SavingState<Fields>,
) {
  const report = useReport(form);
  const restart = useRestart(form, stored, { latest, dispatch });
  const queries = useQueryClient();
  const mutation = useMutation({ mutationFn: (saving: () => Promise<Stored<Fields>>) => saving() });
  const finish = (now: Stored<Fields>, { given, onSaved }: Attempt<Fields>) => {
    // Shown at once: otherwise a user who leaves now would be asked about what is saved.
    flushSync(() => restart(now, { given, isSaved: true }));
    // Callbacks of a form that closes meanwhile wouldn't be called.
    for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    onSaved(report.isShown() && !form.isDirty());
  };
  const fail = (error: unknown) => {
    // A key in the moment in which the error is shown would do nothing otherwise.
    flushSync(() => dispatch({ type: "ended" }));
    report.showProblem(error);
  };
  const store = async (fields: Fields, from: Stored<Fields>, attempt: Attempt<Fields>): Promise<void> => {
    try {
      finish(await mutation.mutateAsync(() => save(fields, from)), attempt);
    } catch (error) {
      if (mayBeDone(error)) dispatch({ type: "lost", fields });
      const now = await readOther(error, from, read);
      if (now === undefined) return fail(error);
      await goOn(now, { fields, from, error }, attempt);
    }
  };
  const goOn = (now: Stored<Fields>, { error, ...rejected }: Failed<Fields>, attempt: Attempt<Fields>) => {
    const next = settle({ ...rejected, sent: latest().sent }, now);
    if (next.type === "saved") return finish(now, attempt);
    if (next.type === "store") return store(next.fields, now, attempt);
    if (!report.isShown()) return fail(error);
    const change = error instanceof Problem ? error.lastChange : undefined;
    return dispatch({ type: "asked", before: next.before, theirs: { ...now, change } });
  };
  return store;
}

/** A function that begins the form anew; it does so by itself when the page has read another version. */
function useRestart<Fields extends FormFields>(
  form: UseFormReturnType<Fields>,
  stored: Stored<Fields>,
  { latest, dispatch }: Omit<SavingState<Fields>, "state">,
) {
  /** @param given what the form contained of it; what was typed since stays */
  const restart = (now: Stored<Fields>, { given = form.getValues(), isSaved = false } = {}) => {
    dispatch({ type: "restarted", now, isSaved });
    const { values } = joinChanges(given, form.getValues(), now.fields);
    form.setInitialValues(now.fields);
    form.setValues(values);
  };
  useEffect(() => {
    const { version } = stored;
    dispatch({ type: "read", version });
    if (takesOver(latest(), version, form.isDirty())) restart(stored);
  });
  return restart;
}

/** What someone else saved meanwhile; undefined if that isn't the reason of an error. */
async function readOther<Fields>(
  error: unknown,
  from: Stored<Fields>,
  read: () => Promise<Stored<Fields> | undefined>,
): Promise<Stored<Fields> | undefined> {
  if (!(error instanceof Problem) || error.status !== 412) return undefined;
  const now = await read().catch(() => undefined);
  // The same one: something on the way changed the header, and a further try would have the same end.
  return now?.version === from.version ? undefined : now;
}

/** Shows errors in the form; as a notification once its page was left. */
function useReport<Fields extends FormFields>(form: UseFormReturnType<Fields>) {
  const { t } = useTexts();
  const showInForm = useShowProblem(form);
  const describe = useDescribeProblem();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return {
    isShown: () => isShown.current,
    showProblem(error: unknown) {
      if (isShown.current) return showInForm(error);
      // The sentences about the way to the server say that what was typed is still here.
      const message = mayBeDone(error) ? t("joined.lost") : `${t("joined.lost")} ${describe(error)}`;
      notifications.show({ color: "red", title: t("problems.title"), message, autoClose: false });
    },
  };
}
