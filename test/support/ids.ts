/** Identifiers of the form that the service gives out, for rows that a test writes itself. */
export const idOf = (number: number): string => `01a1fb60-1a34-772b-a309-${String(number).padStart(12, "0")}`;
