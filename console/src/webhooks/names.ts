/** The words of the API about webhooks, as the page writes them. Those of a later version are written as they are. */
import { useTexts } from "../messages/index.tsx";
import { DELIVERY_STATES, EVENTS, isEvent } from "./queries.ts";

const REASONS = ["gone", "failing", "manual"] as const;

export function useNames() {
  const { t } = useTexts("webhooks");
  return {
    nameEvent: (event: string): string => (isEvent(event) ? t(`webhooks.event.${EVENTS[event]}`) : event),
    nameState(state: string): string {
      const known = DELIVERY_STATES.find((each) => each === state);
      return known ? t(`webhooks.states.${known}`) : state;
    },
    /** Why a webhook is inactive. */
    explainReason(reason: string): string {
      const known = REASONS.find((each) => each === reason);
      return known ? t(`webhooks.reasons.${known}`) : reason;
    },
  };
}
