/** What a contact said about marketing, and the decision of an administrator. */
import { Alert, NativeSelect, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { mayBeDone, Problem, type Schemas } from "../api/client.ts";
import { DialogButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { isSame } from "../forms/join-changes.ts";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { useShowProblem } from "../ui/problems.tsx";
import { Section } from "../ui/section.tsx";
import { contactQuery, updateContact } from "./queries.ts";

interface ConsentSectionProps {
  contact: Schemas["Contact"];
  consent: Schemas["CurrentConsent"];
  consents: Schemas["RecordedConsent"][];
  canEdit: boolean;
}

export function ConsentSection({ contact, consent, consents, canEdit }: ConsentSectionProps) {
  const { t, findText } = useTexts("contacts");
  const { state } = consent;
  const sentence = findText(`consent.states.${state}`) ?? t("consent.states.none");
  return (
    <Section
      title={t("consent.title")}
      id="consent"
      actions={
        canEdit && (
          <DialogButton variant={state === "conflict" ? "filled" : "default"} label={t("consent.decide")}>
            {(close) => <DecisionForm {...{ contact, sentence, consents, close }} />}
          </DialogButton>
        )
      }
    >
      {state === "conflict" ? (
        <Alert color="red" title={t("consent.conflict")}>
          {sentence}
        </Alert>
      ) : (
        <Text>{sentence}</Text>
      )}
      {consents.length > 0 && <ConsentTable consents={consents} />}
    </Section>
  );
}

function ConsentTable({ consents }: Pick<ConsentSectionProps, "consents">) {
  const { t, nameLanguage } = useTexts("contacts");
  return (
    <DataTable
      verticalSpacing="xs"
      rows={consents}
      keyOf={({ givenAt, eventId, marketing }) => `${givenAt} ${eventId} ${marketing}`}
      columns={[
        { head: t("consent.givenAt"), cell: (each) => <GivenCell consent={each} /> },
        { head: t("contacts.marketing"), cell: ({ marketing }) => (marketing ? t("yes") : t("no")) },
        {
          head: t("consent.textVersion"),
          cell: ({ textVersion, text }) => (
            <>
              <bdi dir="ltr">{textVersion}</bdi>
              {text !== null && <ConsentText text={text} />}
            </>
          ),
        },
        {
          head: t("words.language"),
          from: "sm",
          cell: ({ languageCode: code }) => code !== "" && nameLanguage({ code }),
        },
        { head: t("consent.source"), from: "sm", cell: (each) => <SourceCell consent={each} /> },
      ]}
    />
  );
}

interface CellProps {
  consent: Schemas["RecordedConsent"];
}

function GivenCell({ consent: { givenAt, repeatedAt, formerAddress } }: CellProps) {
  const { t, formatTime } = useTexts("contacts");
  return (
    <>
      {formatTime(givenAt)}
      {repeatedAt !== null && <Note>{t("consent.repeatedAt", { time: formatTime(repeatedAt) })}</Note>}
      {formerAddress && <Note>{t("consent.formerAddress")}</Note>}
    </>
  );
}

const CONFIRMATIONS = ["pending", "confirmed"] as const;

function SourceCell({ consent: { administrator, confirmation, ipAddress } }: CellProps) {
  const { t } = useTexts("contacts");
  const known = CONFIRMATIONS.find((each) => each === confirmation);
  const source = known ? t(`consent.confirmations.${known}`) : t("consent.form");
  return (
    <>
      {administrator === null ? source : t("consent.administrator", { name: administrator })}
      {ipAddress !== null && (
        <Note>
          <bdi dir="ltr">{ipAddress}</bdi>
        </Note>
      )}
    </>
  );
}

/** What the reader has read, folded: it can be as long as a page. */
function ConsentText({ text }: { text: string }) {
  const { t } = useTexts("contacts");
  return (
    <details>
      <summary>{t("consent.text")}</summary>
      <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
        {text}
      </Text>
    </details>
  );
}

interface DecisionProps extends Pick<ConsentSectionProps, "contact" | "consents"> {
  /** What the state of the consent means. */
  sentence: string;
  close(): void;
}

function DecisionForm({ contact, sentence, consents, close }: DecisionProps) {
  const { t } = useTexts("contacts");
  const latestYes = consents.find(({ marketing, formerAddress }) => marketing && !formerAddress);
  const form = useForm({ initialValues: { marketing: "", textVersion: latestYes?.textVersion ?? "" } });
  const decide = useDecision(contact, consents, form, close);
  const submit = form.onSubmit(({ marketing, textVersion }) =>
    decide.mutate({ marketing: marketing === "yes", ...(textVersion !== "" && { textVersion }) }),
  );
  return (
    <DialogForm
      onSubmit={submit}
      close={close}
      action={t("save")}
      isPending={decide.isPending}
      isDisabled={form.values.marketing === ""}
    >
      {decide.isChangedMeanwhile && (
        <Alert variant="default" icon="!" role="alert" title={t("consent.changedMeanwhile")}>
          {sentence} {t("consent.checkAgain")}
        </Alert>
      )}
      <Text>{t("consent.decideHint")}</Text>
      <NativeSelect
        label={t("contacts.marketing")}
        data={[
          { value: "", label: t("consent.choose") },
          { value: "yes", label: t("contacts.marketings.yes") },
          { value: "no", label: t("consent.notAllowed") },
        ]}
        data-autofocus
        {...form.getInputProps("marketing")}
      />
      <TextInput
        label={t("consent.textVersion")}
        description={t("consent.textVersionHint")}
        dir="ltr"
        {...form.getInputProps("textVersion")}
      />
    </DialogForm>
  );
}

interface Decision {
  marketing: boolean;
  textVersion?: string;
}

/** Whether the newest statement is this decision, and wasn't the newest before. */
function isNewest(
  { marketing, textVersion }: Decision,
  [newest]: Schemas["RecordedConsent"][],
  [before]: Schemas["RecordedConsent"][],
): boolean {
  return (
    newest !== undefined &&
    !isSame(newest, before) &&
    newest.administrator !== null &&
    newest.marketing === marketing &&
    (textVersion === undefined || newest.textVersion === textVersion)
  );
}

const isConflict = (error: unknown): boolean => error instanceof Problem && error.status === 412;

/** A decision is made for the statements that the administrator sees: after a 412 they are read again. */
function useDecision<Fields extends Record<string, unknown>>(
  { id, version }: Schemas["Contact"],
  consents: Schemas["RecordedConsent"][],
  form: UseFormReturnType<Fields>,
  close: () => void,
) {
  const { t } = useTexts("contacts");
  const queries = useQueryClient();
  const showProblem = useShowProblem(form);
  // By an attempt whose outcome isn't known.
  const sent = useRef<Decision>(undefined);
  const finish = () => {
    notifications.show({ message: t("saved") });
    close();
    void queries.invalidateQueries({ queryKey: ["contacts"] });
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (decision: Decision) => updateContact(id, decision, version),
    onSuccess: finish,
    async onError(failure, decision) {
      if (mayBeDone(failure)) sent.current = decision;
      if (!isConflict(failure)) return showProblem(failure);
      const now = await queries.fetchQuery({ ...contactQuery(id), staleTime: 0 }).catch(() => undefined);
      if (now && sent.current && isNewest(sent.current, now.consents, consents)) finish();
    },
  });
  return { mutate, isPending, isChangedMeanwhile: isConflict(error) };
}
