/** A dialog in the page. Of several, Escape closes the one that was opened last: what is typed below it stays. */
import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";

/** Elsewhere, the header of a dialog would be another banner of the document. */
const IN_PAGE = { target: "#content" };

/** What Escape does in those that are open, the last one above the others. */
const opened: (() => void)[] = [];

/** Mantine's mark of lists and menus that use the key themselves. */
const isUsedBy = (target: EventTarget | null): boolean =>
  target instanceof Element && target.getAttribute("data-mantine-stop-propagation") === "true";

window.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && !event.isComposing && !isUsedBy(event.target)) opened.at(-1)?.();
  },
  { capture: true },
);

export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const pressEscape = useEffectEvent(() => {
    if (closeOnEscape) props.onClose();
  });
  useEffect(() => {
    if (!props.opened) return;
    const press = () => pressEscape();
    opened.push(press);
    return () => {
      opened.splice(opened.indexOf(press), 1);
    };
  }, [props.opened]);
  return <Modal {...props} closeOnEscape={false} portalProps={IN_PAGE} />;
}
