/**
 * Saves a form for the version that it began with. If someone else saved another one meanwhile, it shows field by field
 * what they changed: changes of different fields are joined with one click, and of the same field one is chosen.
 */
import { Alert, Button, NativeSelect, Stack, Table, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { mayBeDone, Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import type { Translate } from "../messages/texts.ts";
import { adoptSent, isSame, joinChanges } from "./join-changes.ts";
import { useDescribeProblem, useShowProblem } from "./problems.tsx";

/** What a field of such a form contains. */
export type FormFields = Record<string, FieldValue>;

type FieldValue = string | number | boolean | readonly (string | Readonly<Record<string, string>>)[];

/** A record as its form shows it. */
export interface Stored<Fields> {
  /** Undefined: the record doesn't exist yet. */
  version: string | undefined;
  fields: Fields;
}

/** @param isAll whether the form is still shown and contains nothing that was typed meanwhile: only then may it be closed */
export type OnSaved = (isAll: boolean) => void;

interface Attempt<Fields> {
  /** What the form contained. */
  given: Fields;
  onSaved: OnSaved;
}

/** What someone else saved. */
interface Theirs<Fields> extends Stored<Fields> {
  /** Who did, and when, where the service says so. */
  change: Problem["lastChange"];
}

interface Rejected<Fields> {
  fields: Fields;
  from: Stored<Fields>;
  attempt: Attempt<Fields>;
  error: unknown;
}

interface JoinedSaveOptions<Fields extends FormFields> {
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
  const { form, stored, labels, read, save, keys } = options;
  const queries = useQueryClient();
  const report = useReport(form);
  // What was typed is compared with this: a refresh in the background must not change it.
  const [before, setBefore] = useState(stored);
  const [theirs, setTheirs] = useState<Theirs<Fields>>();
  // By an attempt whose outcome isn't known.
  const sent = useRef<Fields>(undefined);
  const isStoring = useRef(false);
  // The mutation says some tasks later that it has ended.
  const [isPending, setIsPending] = useState(false);
  const mutation = useMutation({ mutationFn: (saving: () => Promise<Stored<Fields>>) => saving() });
  /** @param given what the form contained of it; what was typed since stays */
  const restart = (now: Stored<Fields>, given = form.getValues()) => {
    sent.current = undefined;
    setBefore(now);
    setTheirs(undefined);
    const { values } = joinChanges(given, form.getValues(), now.fields);
    form.setInitialValues(now.fields);
    form.setValues(values);
  };
  const latest = useRef(stored);
  // What the page has read before a save of this form, and shows until it has read again.
  const outdated = useRef<Stored<Fields>>(undefined);
  useEffect(() => {
    latest.current = stored;
    if (stored.version !== outdated.current?.version) outdated.current = undefined;
    if (stored.version === before.version || outdated.current) return;
    if (!form.isDirty() && !isStoring.current) restart(stored);
  });
  /** What someone else saved meanwhile; undefined if that isn't the reason of an error. */
  const readOther = async (error: unknown, from: Stored<Fields>) => {
    if (!(error instanceof Problem) || error.status !== 412) return undefined;
    const now = await read().catch(() => undefined);
    // The same one: something on the way changed the header, and a further try would have the same end.
    return now?.version === from.version ? undefined : now;
  };
  const finish = (saved: Stored<Fields>, { given, onSaved }: Attempt<Fields>) => {
    outdated.current = latest.current;
    // Shown at once: otherwise a user who leaves now would be asked about what is saved.
    flushSync(() => restart(saved, given));
    // Callbacks of a form that closes meanwhile wouldn't be called.
    for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    onSaved(report.isShown() && !form.isDirty());
  };
  const fail = (error: unknown) => {
    // A key in the moment in which the error is shown would do nothing otherwise.
    flushSync(() => setIsPending(false));
    report.showProblem(error);
  };
  const store = async (fields: Fields, from: Stored<Fields>, attempt: Attempt<Fields>): Promise<void> => {
    try {
      finish(await mutation.mutateAsync(() => save(fields, from)), attempt);
    } catch (error) {
      if (mayBeDone(error)) sent.current = fields;
      const now = await readOther(error, from);
      if (now === undefined) return fail(error);
      await join(now, { fields, from, attempt, error });
    }
  };
  /** With what someone else saved; asks where that is needed. */
  const join = (now: Stored<Fields>, { fields, from, attempt, error }: Rejected<Fields>) => {
    const own = { before: from.fields, typed: fields };
    const { before: base, typed } = sent.current ? adoptSent(own, sent.current, now.fields) : own;
    const added = listDifferent(base, now.fields).filter((name) => !isSame(typed[name], now.fields[name]));
    // Others changed nothing that this form shows, or to the same.
    if (added.length === 0) return storeRest(typed, now, attempt);
    if (!report.isShown()) return fail(error);
    setBefore({ ...from, fields: base });
    setTheirs({ ...now, change: error instanceof Problem ? error.lastChange : undefined });
  };
  /** Nothing is left if an attempt before was saved, and only its response was lost. */
  const storeRest = (typed: Fields, now: Stored<Fields>, attempt: Attempt<Fields>) =>
    listDifferent(typed, now.fields).length === 0 ? finish(now, attempt) : store(typed, now, attempt);
  /** One after the other: the version that a second one changes is known after the first. */
  const begin = async (fields: Fields, from: Stored<Fields>, onSaved: OnSaved) => {
    if (isStoring.current) return;
    isStoring.current = true;
    setIsPending(true);
    await store(fields, from, { given: fields, onSaved }).finally(() => {
      isStoring.current = false;
      setIsPending(false);
    });
  };
  const notice = (onSaved: OnSaved): ReactNode =>
    theirs && (
      <ChangedMeanwhile
        before={before.fields}
        typed={form.values}
        theirs={theirs.fields}
        change={theirs.change}
        labels={labels}
        isPending={isPending}
        settle={(fields) => {
          form.setValues(fields);
          void begin(fields, theirs, onSaved);
        }}
      />
    );
  return {
    /** Saves what the form contains. */
    store: (fields: Fields, onSaved: OnSaved) => begin(fields, before, onSaved),
    isPending,
    /** In the form, above its fields. */
    notice,
  };
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

const listDifferent = <Fields extends FormFields>(one: Fields, other: Fields) =>
  Object.keys(one).filter((name) => !isSame(one[name], other[name]));

/** A value for people; of a list, each element on a line of its own. */
function writeValue(value: FieldValue | undefined, t: Translate<"start">): string {
  if (typeof value === "boolean") return t(value ? "joined.yes" : "joined.no");
  if (typeof value === "object") return value.map(writeElement).join("\n") || t("joined.empty");
  return value === undefined || value === "" ? t("joined.empty") : String(value);
}

const writeElement = (element: string | Readonly<Record<string, string>>): string =>
  typeof element === "string"
    ? element
    : Object.values(element)
        .filter((part) => part !== "")
        .join(" · ");

interface ChangedProps<Fields extends FormFields> {
  before: Fields;
  typed: Fields;
  theirs: Fields;
  change: Problem["lastChange"];
  labels: Readonly<Record<keyof Fields & string, string>>;
  isPending: boolean;
  settle(fields: Fields): void;
}

function ChangedMeanwhile<Fields extends FormFields>(props: ChangedProps<Fields>) {
  const { before, typed, theirs, change, labels, isPending, settle } = props;
  const { t, formatTime } = useTexts();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { values, conflicts } = joinChanges(before, typed, theirs);
  const take = (name: string, isTheirs: boolean) =>
    setChosen(new Set([...chosen, name].filter((each) => each !== name || isTheirs)));
  const join = () => {
    const joined = { ...values };
    for (const name of conflicts) if (chosen.has(name)) joined[name] = theirs[name];
    settle(joined);
  };
  return (
    <Alert variant="default" icon="!" role="alert" title={t("joined.title")}>
      <Stack gap="sm" align="start">
        {change && (
          <Text size="sm">
            {t("joined.savedBy", { name: isolate(change.by), time: formatTime(change.at) })}
          </Text>
        )}
        <Text size="sm">{conflicts.length === 0 ? t("joined.different") : t("joined.same")}</Text>
        <Table.ScrollContainer minWidth={0} type="native" w="100%">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("joined.field")}</Table.Th>
                <Table.Th>{t("joined.theirs")}</Table.Th>
                <Table.Th>{t("joined.keep")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {listDifferent(before, theirs).map((name) => (
                <Table.Tr key={name}>
                  <Table.Td>{labels[name]}</Table.Td>
                  <Table.Td>
                    <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
                      {writeValue(theirs[name], t)}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    {conflicts.includes(name) ? (
                      <NativeSelect
                        aria-label={t("joined.keepOf", { field: labels[name] ?? name })}
                        value={chosen.has(name) ? "theirs" : "mine"}
                        data={[
                          { value: "mine", label: t("joined.mine") },
                          { value: "theirs", label: t("joined.theirs") },
                        ]}
                        onChange={({ currentTarget: { value } }) => take(name, value === "theirs")}
                      />
                    ) : (
                      t("joined.theirs")
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Button loading={isPending} onClick={join}>
          {t("joined.join")}
        </Button>
      </Stack>
    </Alert>
  );
}
