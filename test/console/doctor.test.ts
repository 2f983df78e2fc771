/** The doctor's findings in the console: each check of the service has texts and commands, and errors come first. */
import { expect, it } from "vitest";
import { findMending, groupFindings } from "../../console/src/doctor/mending.ts";
import texts from "../../console/src/messages/en/doctor.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/commands.ts";
import { DOCTOR_CHECKS, doctorReportExample } from "../../src/schemas/doctor.schemas.ts";

it("each check has texts", () => {
  expect(Object.keys(texts.doctor.texts).sort()).toEqual([...DOCTOR_CHECKS].sort());
});

it.each(DOCTOR_CHECKS)("%s has commands that mend it, with options that they have", (check) => {
  const { commands } = findMending(check) ?? { commands: [] };
  expect(commands).not.toEqual([]);
  for (const command of commands) {
    const [program, name, ...words] = command.split(" ");
    if (program !== "bookdist") continue;
    const found = COMMANDS.find((each) => each.name === name);
    const flags = found?.options?.map((option) => option.flags.split(" ")[0]) ?? [];
    const required = (found?.args ?? []).filter(([syntax]) => syntax.startsWith("<"));
    expect(flags).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith("--"))));
    expect(words.filter((word) => !word.startsWith("--"))).toHaveLength(required.length);
    expect(found).toBeDefined();
  }
});

it("a check of a later version has no texts and commands of its own", () => {
  expect(findMending("constructor")).toBeUndefined();
});

it("findings are grouped by check, errors first, with the number of all of them", () => {
  const [finding] = doctorReportExample.findings;
  if (!finding) throw new Error("the example has no finding");
  const warning = { ...finding, check: "orphaned_bytes", severity: "warning" };
  const checks = [
    { check: "orphaned_bytes", found: 120 },
    { check: "geoip_stale", found: 0 },
    { check: "missing_bytes", found: 1 },
  ];
  const groups = groupFindings({ ...doctorReportExample, checks, findings: [warning, finding] });
  expect(
    groups.map(({ check, severity, found, findings }) => [check, severity, found, findings.length]),
  ).toEqual([
    ["missing_bytes", "error", 1, 1],
    ["orphaned_bytes", "warning", 120, 1],
  ]);
});
