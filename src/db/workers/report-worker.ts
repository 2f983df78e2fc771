/** A worker thread for reports: runs read-only statements so that long ones don't hold up the event loop. */
import { z } from "zod";
import { openReader } from "../connection.ts";
import { withStatementCache } from "../kysely.ts";
import { ReportCsv } from "./report-csv.ts";
import { reportQuestion } from "./report-protocol.ts";
import { lowerThreadPriority, serveQuestions } from "./serve-questions.ts";

/** An export of any size, for which two of these threads work, is to stay below 64 MB. */
const CACHE_KIBIBYTES = 4_000;

lowerThreadPriority();
serveQuestions((file) => {
  const connection = openReader(z.string().parse(file), CACHE_KIBIBYTES);
  const database = withStatementCache(connection);
  const exports = new ReportCsv(connection);
  return {
    response(question) {
      const { sql, parameters, csv } = reportQuestion.parse(question);
      return csv ? exports.recordsOf({ sql, parameters }, csv) : database.prepare(sql).all(parameters);
    },
  };
});
