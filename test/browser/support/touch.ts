/** Touches of a screen that aren't a tap. */
import type { Locator } from "@playwright/test";

interface Point {
  x: number;
  y: number;
}

/** A finger that touches the middle of an element, goes to a place and leaves there. */
export async function startTouch(element: Locator) {
  const session = await element.page().context().newCDPSession(element.page());
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} isn't shown`);
  let last = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await send("touchStart", [last]);
  return {
    async moveTo(y: number) {
      const from = last.y;
      for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
        last = { ...last, y: from + (y - from) * part };
        await send("touchMove", [last]);
      }
    },
    up: () => send("touchEnd", []),
  };
}
