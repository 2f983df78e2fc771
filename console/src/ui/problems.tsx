/** Errors of the API in words, and at the fields that caused them. */
import { Alert, Button, Group } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { type FieldProblem, Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import type { Translate } from "../messages/texts.ts";
import classes from "./problems.module.css";

/** Errors of the server that waiting doesn't mend. */
const LASTING: ReadonlySet<string> = new Set(["disk_full", "geoip_provider_failed", "images_unavailable"]);

/** So many fields are named in a sentence. */
const NAMED_FIELDS = 3;

/** The sentences of the API that say more than their code. */
const SPECIAL: Readonly<Record<string, string>> = { "is required": "required", "must not be empty": "empty" };

const UNITS: Readonly<Record<string, string>> = { character: "characters", item: "items" };

/** The bound that an English sentence of the API names, with its unit. */
function readBound(english: string) {
  const [, digits, unit = ""] = /(-?\d+)(?: (character|item))?/.exec(english) ?? [];
  return { bound: Number(digits ?? 0), unit: digits === undefined ? "other" : (UNITS[unit] ?? "number") };
}

type Reason = Pick<FieldProblem, "code" | "message">;

/** A function that says what is wrong with a field; undefined in English, and of codes without a text. */
function useFindFieldText(): (field: Reason) => string | undefined {
  const { findText } = useTexts();
  return ({ code, message }) => findText(`fieldErrors.${SPECIAL[message] ?? code}`, readBound(message));
}

/** The same; in English, and of codes without a text, as the API does. */
function useDescribeField(): (field: Reason) => string {
  const find = useFindFieldText();
  return (field) => find(field) ?? field.message;
}

/** A function that says why something can't be done, by its code; undefined in English, and of codes without a text. */
export function useFindReason(): (reason: Reason) => string | undefined {
  const { findText } = useTexts();
  const findFieldText = useFindFieldText();
  return (reason) => findText(`errors.${reason.code}`) ?? findFieldText(reason);
}

/** The same; in English, and of codes without a text, as the API does. */
export function useDescribeReason(): (reason: Reason) => string {
  const find = useFindReason();
  return (reason) => find(reason) ?? reason.message;
}

/** A function that puts an error into a sentence. */
export function useDescribeProblem(): (error: unknown) => string {
  const { t, findText } = useTexts();
  const describeField = useDescribeField();
  return (error) => {
    if (!(error instanceof Problem)) return t("problems.unknown");
    const { code, message, fields } = error;
    const sentence =
      describeStatus(error, t) ?? findText(`errors.${code}`) ?? (message || t("problems.unknown"));
    const named = fields.slice(0, NAMED_FIELDS).map((field) => `${field.path}: ${describeField(field)}`);
    return [sentence, ...named].join("\n");
  };
}

/** What can be done about an error, where its status says that. */
function describeStatus({ status, code, retryAfter }: Problem, t: Translate<"start">): string | undefined {
  if (status === 0) return t("problems.unreachable");
  if (code === "permission_missing" || (status === 403 && code === "")) return t("problems.forbidden");
  if (status === 429) return t("problems.tooMany", { seconds: retryAfter ?? 60 });
  return status >= 500 && !LASTING.has(code) ? t("problems.unavailable") : undefined;
}

/** A function that shows an error as a notification. */
export function useNotifyProblem(): (error: unknown) => void {
  const { t } = useTexts();
  const notify = useNotifyFailure();
  return (error) => notify(t("problems.title"), error);
}

/** The same under words that say what failed. */
export function useNotifyFailure(): (title: string, error: unknown) => void {
  const describe = useDescribeProblem();
  return (title, error) => {
    // The log-in dialog says this one.
    if (error instanceof Problem && error.status === 401) return;
    notifications.show({
      color: "red",
      title,
      message: <span className={classes.lines}>{describe(error)}</span>,
      autoClose: false,
    });
  };
}

/**
 * A function that shows the errors of fields at the fields and any other as a notification.
 * @param form whose fields have the names of the request's
 */
export function useShowProblem<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  const notify = useNotifyProblem();
  const describeField = useDescribeField();
  return (error: unknown) => {
    const known = form.getValues();
    const fields = error instanceof Problem ? error.fields : [];
    const shown = fields.flatMap((field) => {
      const { path } = field;
      const name = path.split(/[.[]/)[0] ?? "";
      // The elements of a list are fields, too.
      const shownAt = Array.isArray(known[name]) ? path : name;
      return name in known ? [[shownAt, describeField(field)] as const] : [];
    });
    for (const [name, message] of shown) form.setFieldError(name, message);
    if (shown.length === 0 || shown.length < fields.length) notify(error);
  };
}

/** In place of what couldn't be read. */
export function LoadFailure({ error, retry }: { error: unknown; retry(): void }) {
  const { t } = useTexts();
  const describe = useDescribeProblem();
  return (
    <Alert color="red" role="alert" title={t("problems.title")}>
      <Group justify="space-between">
        <span className={classes.lines}>{describe(error)}</span>
        <Button variant="default" onClick={retry}>
          {t("tryAgain")}
        </Button>
      </Group>
    </Alert>
  );
}
