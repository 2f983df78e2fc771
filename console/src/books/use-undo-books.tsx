/** Undoes an action on many books, says how far it is, and offers to go on with what an error left out. */
import { Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { createCloseWarning } from "../shell/close-warning.ts";
import classes from "../shell/problems.module.css";
import { useDescribeProblem } from "../shell/problems.tsx";
import { type BookUndo, undoBookAction } from "./undo-books.ts";
import type { SelectedBooks } from "./use-bulk-action.ts";

const SHOWN_MS = 15_000;

/** So many titles are read; more would hide the page. */
const SHOWN_TITLES = 5;

/** @param books with the titles of those that are undone */
export function useUndoBooks(books: SelectedBooks): (undo: BookUndo) => Promise<void> {
  const { t, formatNumber } = useTexts("books");
  const describe = useDescribeProblem();
  const queries = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ undo, report }: { undo: BookUndo; report: (undo: BookUndo) => void }) =>
      undoBookAction(undo, report),
    onSettled: () => queries.invalidateQueries({ queryKey: ["books"] }),
  });
  const listKept = (kept: readonly string[]): ReactNode => {
    if (kept.length === 0) return null;
    const titles = kept.slice(0, SHOWN_TITLES).map((id) => <bdi key={id}>{books.get(id)}</bdi>);
    return (
      <Stack gap={0}>
        {t("bulk.kept", { count: kept.length })}
        {titles}
        {kept.length > SHOWN_TITLES && t("bulk.others", { count: kept.length - SHOWN_TITLES })}
      </Stack>
    );
  };
  const carryOut = async (undo: BookUndo): Promise<void> => {
    const total = undo.rest.length + undo.restored + undo.kept.length;
    const sayHowFar = ({ rest }: BookUndo) =>
      t("bulk.undoing", { done: formatNumber(total - rest.length), of: formatNumber(total) });
    const id = notifications.show({
      loading: true,
      autoClose: false,
      withCloseButton: false,
      message: sayHowFar(undo),
    });
    const say = (message: ReactNode, autoClose: number | false, color = "") =>
      notifications.update({
        id,
        loading: false,
        withCloseButton: true,
        message,
        autoClose,
        ...(color && { color }),
      });
    const warn = createCloseWarning();
    warn(true);
    let now = undo;
    try {
      await mutateAsync({
        undo,
        report(next) {
          now = next;
          notifications.update({ id, loading: true, message: sayHowFar(next) });
        },
      });
      const { restored, kept } = now;
      const message = (
        <>
          {t("bulk.restored", { count: restored })}
          {listKept(kept)}
        </>
      );
      say(message, kept.length === 0 && SHOWN_MS);
    } catch (error) {
      const isEnded = error instanceof Problem && error.status === 401;
      const goOn = () => {
        notifications.hide(id);
        void carryOut(now);
      };
      say(
        <Stack gap="xs">
          {/* The log-in dialog says that the session has ended. */}
          {!isEnded && <span className={classes.lines}>{describe(error)}</span>}
          <Group justify="space-between">
            {t("bulk.restoredInPart", { count: now.restored, rest: now.rest.length })}
            <Button size="compact-sm" variant="default" onClick={goOn}>
              {t("tryAgain")}
            </Button>
          </Group>
          {listKept(now.kept)}
        </Stack>,
        false,
        "red",
      );
    } finally {
      warn(false);
    }
  };
  return carryOut;
}
