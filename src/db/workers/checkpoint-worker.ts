/** A worker thread that moves what has been committed from the WAL into the file, as far as readers let it. */
import { z } from "zod";
import { openCheckpointer } from "../connection.ts";
import { serveQuestions } from "./serve-questions.ts";

serveQuestions((file) => {
  const connection = openCheckpointer(z.string().parse(file));
  return {
    response() {
      // Every other kind takes the writer's lock, for which the event loop would have to wait.
      connection.pragma("wal_checkpoint(PASSIVE)");
    },
  };
});
