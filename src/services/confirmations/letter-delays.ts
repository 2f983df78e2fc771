/** Whether a letter that a client asks for now may wait for the limits of an hour. */
import type { Clock } from "../../adapters/system.ts";
import type { MailSettings } from "../../config.ts";
import { HOUR } from "../../lib/time.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { LetterWriter } from "../letters/letter-writer.ts";
import { Service } from "../shared/service.ts";

interface LetterDelaysDeps {
  /** On a worker thread, for statements on the letters of an hour. */
  report: Pick<RecordRepositories, "letters">;
  writer: LetterWriter;
  settings: Pick<MailSettings, "perHour" | "perSenderHour"> | undefined;
  clock: Clock;
}

export class LetterDelays extends Service<LetterDelaysDeps> {
  /**
   * It says nothing of whether there is a letter: an address that gets none looks like others.
   * @param address of the client
   */
  async mayWait(address: string): Promise<boolean> {
    const { report, writer, settings, clock } = this.deps;
    if (!settings) return false;
    const now = clock.now();
    const hour = { now, since: now - HOUR };
    if ((await report.letters.countLeft(hour)) >= settings.perHour) return true;
    const sender = writer.nameSender(address);
    if (sender === null) return false;
    const counts = await report.letters.countBySender([sender], hour);
    return (counts.get(sender) ?? 0) >= settings.perSenderHour;
  }
}
