/** Downloads that readers fetch from the store, resumed after changes. */
import { onS3 } from "../support/on-s3.ts";
import { describeResuming } from "../support/resuming.ts";

describeResuming(() => ({ ...onS3(), DELIVERY: "redirect" }), true);
