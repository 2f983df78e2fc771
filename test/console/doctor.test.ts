/** The doctor's findings in the console: each check of the service has texts, and errors come first. */
import { expect, it } from "vitest";
import { arabicChecks, englishChecks } from "../../console/src/doctor/check-messages.ts";
import { groupFindings } from "../../console/src/doctor/mending.ts";
import { DOCTOR_CHECKS, doctorReportExample } from "../../src/schemas/doctor.schemas.ts";

it("each check has texts in both languages", () => {
  expect(Object.keys(englishChecks).sort()).toEqual([...DOCTOR_CHECKS].sort());
  expect(Object.keys(arabicChecks).sort()).toEqual([...DOCTOR_CHECKS].sort());
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
