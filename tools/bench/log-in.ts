/** The session of an administrator of a measured service. */
import { ADMIN } from "./service-process.ts";

/** @returns the Cookie header */
export async function logIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
