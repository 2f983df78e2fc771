/** Undoes an action on many books, says how far it is, and offers to go on with what an error left out. */
import { Button, Group, Stack } from "@mantine/core";
import { type NotificationData, notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Problem } from "../api/client.ts";
import { createCloseWarning } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import classes from "../ui/problems.module.css";
import { useDescribeProblem } from "../ui/problems.tsx";
import type { SelectedBooks } from "./undo-books.ts";
import { type BookUndo, undoBookAction } from "./undo-books.ts";

const SHOWN_MS = 15_000;

/** So many titles are read; more would hide the page. */
const SHOWN_TITLES = 5;

/** @param books with the titles of those that are undone */
export function useUndoBooks(books: SelectedBooks): (undo: BookUndo) => Promise<void> {
  const queries = useQueryClient();
  const { begin, describeResult, describeFailure } = useUndoNotice(books);
  const { mutateAsync } = useMutation({
    mutationFn: ({ undo, report }: { undo: BookUndo; report: (undo: BookUndo) => void }) =>
      undoBookAction(undo, report),
    onSettled: () => queries.invalidateQueries({ queryKey: ["books"] }),
  });
  const carryOut = async (undo: BookUndo): Promise<void> => {
    const notice = begin(undo);
    const warn = createCloseWarning();
    warn(true);
    let now = undo;
    const report = (next: BookUndo) => {
      now = next;
      notice.report(next);
    };
    try {
      await mutateAsync({ undo, report });
      notice.end({ message: describeResult(now), autoClose: now.kept.length === 0 && SHOWN_MS });
    } catch (error) {
      const goOn = () => {
        notice.hide();
        void carryOut(now);
      };
      notice.end({ message: describeFailure(error, now, goOn), autoClose: false, color: "red" });
    } finally {
      warn(false);
    }
  };
  return carryOut;
}

/** One notice: how far it is, then what came of it. */
function useUndoNotice(books: SelectedBooks) {
  const { t, formatNumber } = useTexts("books");
  const describe = useDescribeProblem();
  return {
    begin(undo: BookUndo) {
      const total = undo.rest.length + undo.restored + undo.kept.length;
      const sayHowFar = ({ rest }: BookUndo) =>
        t("bulk.undoing", { done: formatNumber(total - rest.length), of: formatNumber(total) });
      const id = notifications.show({
        loading: true,
        autoClose: false,
        withCloseButton: false,
        message: sayHowFar(undo),
      });
      return {
        report: (next: BookUndo) => notifications.update({ id, loading: true, message: sayHowFar(next) }),
        end: (notice: Pick<NotificationData, "message" | "autoClose" | "color">) =>
          notifications.update({ id, loading: false, withCloseButton: true, ...notice }),
        hide: () => notifications.hide(id),
      };
    },
    describeResult: ({ restored, kept }: BookUndo) => (
      <>
        {t("bulk.restored", { count: restored })}
        <KeptBooks books={books} kept={kept} />
      </>
    ),
    describeFailure: (error: unknown, { restored, rest, kept }: BookUndo, goOn: () => void) => (
      <Stack gap="xs">
        {/* The log-in dialog says that the session has ended. */}
        {!(error instanceof Problem && error.status === 401) && (
          <span className={classes.lines}>{describe(error)}</span>
        )}
        <Group justify="space-between">
          {t("bulk.restoredInPart", { count: restored, rest: rest.length })}
          <Button size="compact-sm" variant="default" onClick={goOn}>
            {t("tryAgain")}
          </Button>
        </Group>
        <KeptBooks books={books} kept={kept} />
      </Stack>
    ),
  };
}

/** Those that stay as they are, because they were changed since. */
function KeptBooks({ books, kept }: { books: SelectedBooks; kept: readonly string[] }) {
  const { t } = useTexts("books");
  if (kept.length === 0) return null;
  return (
    <Stack gap={0}>
      {t("bulk.kept", { count: kept.length })}
      {kept.slice(0, SHOWN_TITLES).map((id) => (
        <bdi key={id}>{books.get(id)}</bdi>
      ))}
      {kept.length > SHOWN_TITLES && t("bulk.others", { count: kept.length - SHOWN_TITLES })}
    </Stack>
  );
}
