// What a run tells at its end.
import type { Outcome } from "./run.ts";
import type { Finding } from "./tally.ts";

export function reportLines({ tally, service }: Outcome): { lines: string[]; isGood: boolean } {
  const { counted, findings, shortcomings } = tally;
  const least = Math.min(...counted.map(({ sent }) => sent));
  const share = Math.min(...counted.map(({ sent, accepted }) => accepted / Math.max(sent, 1)));
  const lines = [
    `requests to an operation   at least ${least}`,
    `accepted of an operation   at least ${(share * 100).toFixed(0)} %`,
    ...tally.unseen.map(
      ({ status, reason }) => `not seen                   ${status}: ${reason ?? "no reason"}`,
    ),
    ...findings.flatMap(formatFinding),
    ...shortcomings.map((shortcoming) => `short                      ${shortcoming}`),
    ...service.map((error) => `service                    ${error}`),
  ];
  const isGood = findings.length + shortcomings.length + service.length === 0;
  return { lines: [...lines, isGood ? "Nothing was found." : "Something was found."], isGood };
}

export const formatFinding = (found: Finding): string[] => [
  "",
  `request ${found.request}, ${found.operation}:`,
  ...found.errors.map((error) => `  ${error}`),
  `  ${found.curl}`,
  ...(found.smallest === undefined ? [] : [`  the smallest: ${found.smallest}`]),
  `  answer: ${found.response}`,
];
