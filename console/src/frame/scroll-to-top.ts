/** A page that is opened by a link is seen from its top; on the way back, the browser knows where it was. */
import { useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const isWayBack = useNavigationType() === "POP";
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!isWayBack) window.scrollTo(0, 0);
  }, [pathname, isWayBack]);
}
