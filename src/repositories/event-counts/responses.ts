/** Responds to questions that are sent together. */
import { countCampaigns, nameCampaigns } from "./campaign-counts.ts";
import { type CountQuestion, type CountResponse, createResponse } from "./count-query.ts";
import type { EventColumns } from "./event-columns.ts";
import type { Campaign } from "./origins.ts";

/** @param readCampaigns of those of the events that are in the table */
export async function respondToAll(
  columns: EventColumns,
  questions: readonly CountQuestion[],
  readCampaigns: (ids: readonly number[]) => Promise<ReadonlyMap<number, Campaign>>,
): Promise<CountResponse[]> {
  for (;;) {
    const counted = questions.map((question) =>
      question.by === "campaign"
        ? { isNamed: false, response: countCampaigns(columns, question) }
        : { isNamed: true, response: createResponse(columns, question) },
    );
    const keys = counted.flatMap(({ isNamed, response }) => (isNamed ? [] : response.keys));
    const ids = new Set(keys.filter((key) => typeof key === "number"));
    const campaigns = await readCampaigns([...ids]);
    const gone = ids.difference(campaigns);
    if (gone.size === 0)
      return counted.map(({ isNamed, response }) =>
        isNamed ? response : nameCampaigns(response, campaigns),
      );
    // They were deleted after the columns were updated: all is counted again without them.
    columns.remove(gone);
  }
}
