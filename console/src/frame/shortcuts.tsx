/** The keys that work on every page, and what they open. */
import { Button, Kbd } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { Suspense, useState } from "react";
import { isControl, readKey } from "../lib/shortcut.ts";
import { useTexts } from "../messages/index.tsx";
import { findDialog, usePageKeys } from "../ui/keys.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import type { PageLink } from "./palette-options.ts";

const Palette = lazyPart(() => import("./palette.tsx"), "palette");

/** There, shortcuts are with another key. */
const IS_APPLE = /Mac|iP(?:ad|hone|od)/.test(navigator.userAgent);

/** @param pages those that the user may see */
export function Shortcuts({ pages }: { pages: readonly PageLink[] }) {
  const { t } = useTexts();
  const [open, setOpen] = useState<"palette" | "keys">();
  const [wasOpened, setWasOpened] = useState(false);
  const show = (what: "palette" | "keys") => {
    setWasOpened(true);
    setOpen(what);
  };
  useWindowEvent("keydown", (event) => {
    if (isControl(event, "k")) findDialog() ?? show("palette");
    else if (isControl(event, "s")) pressSave();
    else return;
    event.preventDefault();
  });
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = readKey(event);
    if (key === "?") show("keys");
    else if (key === "/") focusSearch() || show("palette");
    else return;
    event.preventDefault();
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => show("palette")}
        aria-keyshortcuts={IS_APPLE ? "Meta+K" : "Control+K"}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            {IS_APPLE ? "⌘ K" : "Ctrl K"}
          </Kbd>
        }
      >
        {t("goTo")}
      </Button>
      {wasOpened && (
        <Suspense>
          <Palette pages={pages} open={open} show={setOpen} />
        </Suspense>
      )}
    </>
  );
}

/** Of the form in front: in the dialog that is open, or else on the page. */
function pressSave() {
  const front = findDialog() ?? document;
  front.querySelector<HTMLButtonElement>("[data-save]:enabled")?.click();
}

/** @returns whether the page has a search */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("#content input[type=search]");
  search?.focus();
  return search !== null;
}
