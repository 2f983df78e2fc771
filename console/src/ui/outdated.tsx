/** What was read for other filters, until what belongs to the present ones is here: dimmed, and with a word. */
import { Paper } from "@mantine/core";
import { createContext, type ReactNode, use } from "react";
import { useTexts } from "../messages/index.tsx";
import classes from "./outdated.module.css";

const Outdated = createContext(false);

/** Says for a part of a page whether it shows what was read for other filters. */
export const OutdatedProvider = Outdated.Provider;

export const useOutdated = (): boolean => use(Outdated);

/** For parts of a page that show the word in a place of their own. */
export const dimWhile = (isOutdated: boolean) => ({ className: isOutdated ? classes.outdated : undefined });

export function DimmedWhileOutdated({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const isOutdated = useOutdated();
  return (
    <div className={classes.place} aria-busy={isOutdated}>
      <div role="status" className={classes.status}>
        {isOutdated && (
          <Paper withBorder shadow="sm" px="md" py={4} radius="xl" fw={500}>
            {t("reading")}
          </Paper>
        )}
      </div>
      <div {...dimWhile(isOutdated)}>{children}</div>
    </div>
  );
}
