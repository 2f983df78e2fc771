/** Downloads that this service sends itself, resumed after changes. */
import { describeResuming } from "../support/resuming.ts";

describeResuming(() => ({}), false);
