/** Errors of the API in words, and at the fields that caused them. */
import { Alert, Button, Group } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";

/** A function that puts an error into a sentence. */
export function useDescribeProblem(): (error: unknown) => string {
  const { t } = useTexts();
  return (error) => {
    if (!(error instanceof Problem)) return t.problems.unknown;
    const { status, message, retryAfter } = error;
    if (status === 0) return t.problems.unreachable;
    if (status === 403) return t.problems.forbidden;
    if (status === 429) return t.problems.tooMany(retryAfter ?? 60);
    if (status >= 500) return t.problems.unavailable;
    return message || t.problems.unknown;
  };
}

/** A function that shows an error as a notification. */
export function useNotifyProblem(): (error: unknown) => void {
  const { t } = useTexts();
  const describe = useDescribeProblem();
  return (error) => {
    // The log-in dialog says this one.
    if (error instanceof Problem && error.status === 401) return;
    notifications.show({ color: "red", title: t.problems.title, message: describe(error), autoClose: false });
  };
}

/**
 * A function that shows the errors of fields at the fields and any other as a notification.
 * @param form whose fields have the names of the request's
 */
export function useShowProblem<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  const notify = useNotifyProblem();
  return (error: unknown) => {
    const known = form.getValues();
    const fields = error instanceof Problem ? error.fields : [];
    const shown = fields.flatMap(({ path, message }) => {
      const name = path.split(/[.[]/)[0] ?? "";
      // The elements of a list are fields, too.
      const shownAt = Array.isArray(known[name]) ? path : name;
      return name in known ? [[shownAt, message] as const] : [];
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
    <Alert color="red" role="alert" title={t.problems.title}>
      <Group justify="space-between">
        {describe(error)}
        <Button variant="default" onClick={retry}>
          {t.tryAgain}
        </Button>
      </Group>
    </Alert>
  );
}
