/** What someone else saved while a form was typed in, field by field: joined with one click, and chosen where both changed. */
import { Alert, Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import type { Translate } from "../messages/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import { joinChanges } from "./join-changes.ts";
import { type FieldValue, type FormFields, listDifferent } from "./save-state.ts";

/** A value for people; of a list, each element on a line of its own. */
function writeValue(value: FieldValue | undefined, t: Translate<"start">): string {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
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

export function ChangedMeanwhile<Fields extends FormFields>(props: ChangedProps<Fields>) {
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
        <DataTable
          place={{ w: "100%" }}
          rows={listDifferent(before, theirs)}
          keyOf={(name) => name}
          columns={[
            { head: t("joined.field"), cell: (name) => labels[name] },
            {
              head: t("joined.theirs"),
              cell: (name) => (
                <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
                  {writeValue(theirs[name], t)}
                </Text>
              ),
            },
            {
              head: t("joined.keep"),
              cell: (name) =>
                conflicts.includes(name) ? (
                  <KeptSide
                    label={labels[name] ?? name}
                    isTheirs={chosen.has(name)}
                    take={(isTheirs) => take(name, isTheirs)}
                  />
                ) : (
                  t("joined.theirs")
                ),
            },
          ]}
        />
        <Button loading={isPending} onClick={join}>
          {t("joined.join")}
        </Button>
      </Stack>
    </Alert>
  );
}

interface KeptSideProps {
  /** Of the field. */
  label: string;
  isTheirs: boolean;
  take(isTheirs: boolean): void;
}

function KeptSide({ label, isTheirs, take }: KeptSideProps) {
  const { t } = useTexts();
  return (
    <NativeSelect
      aria-label={t("joined.keepOf", { field: label })}
      value={isTheirs ? "theirs" : "mine"}
      data={[
        { value: "mine", label: t("joined.mine") },
        { value: "theirs", label: t("joined.theirs") },
      ]}
      onChange={({ currentTarget: { value } }) => take(value === "theirs")}
    />
  );
}
