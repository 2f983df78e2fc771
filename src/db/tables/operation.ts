/** What the service remembers of its own running. */

export interface RecordedHourTable {
  id: string;
  recordedAt: number;
}
