/** Skips each test of the project `s3` if the set-up has found no store. */
import { beforeEach, inject } from "vitest";

beforeEach((context) => context.skip(inject("s3") === undefined));
