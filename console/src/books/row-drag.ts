/** Rows of a table that are dragged by a handle: by mouse, pen or finger. */
import { type PointerEvent as HandlePointerEvent, useEffect, useRef, useState } from "react";

/** The indexes of the row that is dragged, and of the row that it is held above. */
export interface RowDrag {
  from: number;
  to: number;
}

/** A shorter way is a press. */
const SLOP_PX = 5;

/** So near to the upper and lower edge, the page scrolls. */
const EDGE_PX = 96;

const MOST_PX_A_FRAME = 16;

/** How far the page scrolls in a frame while the pointer is at this height of the window. */
function findScrollStep(y: number, height: number): number {
  const beyond = Math.min(y - EDGE_PX, 0) + Math.max(y - (height - EDGE_PX), 0);
  return Math.max(-1, Math.min(1, beyond / EDGE_PX)) * MOST_PX_A_FRAME;
}

function findRow(rows: readonly HTMLElement[], y: number): number {
  const below = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return below < 0 ? rows.length - 1 : below;
}

/** Follows a pointer from the handle of a row. @returns what ends it */
function follow(
  { currentTarget: handle, pointerId, clientY: startY }: HandlePointerEvent<HTMLElement>,
  report: (drag: RowDrag | undefined, isDropped: boolean) => void,
): () => void {
  const rows = [...(handle.closest("tbody")?.rows ?? [])];
  const from = rows.findIndex((row) => row.contains(handle));
  const listeners = new AbortController();
  const { signal } = listeners;
  let y = startY;
  let drag: RowDrag | undefined;
  let frame = 0;
  const hold = () => {
    const to = findRow(rows, y);
    if (to === drag?.to) return;
    drag = { from, to };
    report(drag, false);
  };
  const scroll = () => {
    const step = findScrollStep(y, window.innerHeight);
    if (step !== 0) {
      window.scrollBy({ top: step, behavior: "instant" });
      hold();
    }
    frame = requestAnimationFrame(scroll);
  };
  const end = (isDropped: boolean) => {
    listeners.abort();
    cancelAnimationFrame(frame);
    report(isDropped ? drag : undefined, isDropped);
  };
  const keep = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    y = event.clientY;
    if (drag) return hold();
    if (Math.abs(y - startY) < SLOP_PX) return;
    hold();
    frame = requestAnimationFrame(scroll);
  };
  handle.setPointerCapture(pointerId);
  handle.addEventListener("pointermove", keep, { signal });
  handle.addEventListener("pointerup", () => end(true), { signal });
  for (const name of ["pointercancel", "lostpointercapture"])
    handle.addEventListener(name, () => end(false), { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  return () => end(false);
}

/** @param drop gets the index of the row that was dragged, and of the one that it was dropped on */
export function useRowDrag(drop: (drag: RowDrag) => void) {
  const [drag, setDrag] = useState<RowDrag>();
  const wasDragged = useRef(false);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const start = (event: HandlePointerEvent<HTMLElement>) => {
    wasDragged.current = false;
    if (event.button !== 0 || !event.isPrimary) return;
    stop.current = follow(event, (now, isDropped) => {
      wasDragged.current ||= now !== undefined;
      setDrag(isDropped ? undefined : now);
      if (isDropped && now && now.from !== now.to) drop(now);
    });
  };
  return {
    drag,
    /** Of the handle. */
    start,
    /** Whether a click is the end of a drag; those of the keyboard have no detail. */
    isEndOfDrag: ({ detail }: { detail: number }) => detail > 0 && wasDragged.current,
  };
}
