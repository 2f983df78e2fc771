/** How much of a reader's address is kept. */
import { isIPv4, isIPv6 } from "node:net";

export type AddressStorage = "full" | "truncated" | "none";

/** The address to store: whole, cut to its network (/24 or /48), or not at all. */
export function storedAddress(address: string, storage: AddressStorage): string | null {
  if (storage === "none" || address === "") return null;
  return storage === "full" ? address : networkOf(address);
}

function networkOf(address: string): string | null {
  if (isIPv4(address)) return address.replace(/\d+$/, "0");
  if (!isIPv6(address)) return null;
  const [head = ""] = canonical(address.replace(/%.*$/, "")).split("::");
  const groups = head.split(":").filter((group) => group !== "");
  return canonical(`${[...groups, "0", "0", "0"].slice(0, 3).join(":")}::`);
}

/** IPv6 as RFC 5952 writes it; the URL parser knows how. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);
