/** A worker thread whose script fails when it is loaded. */
throw new Error("It was told to fail");
