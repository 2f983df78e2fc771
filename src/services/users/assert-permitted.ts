/** Whether who has started long work may still do it: rights can be lost while it runs. */
import { forbidden } from "../../errors.ts";
import { type Permission, ROLE_PERMISSIONS } from "../../schemas/permissions.ts";
import { type Actor, userIdOf } from "../shared/actor.ts";
import type { RecordDeps } from "../shared/service.ts";
import { roleOf } from "./presenters.ts";

type PermissionCheckDeps = Pick<RecordDeps, "reads" | "clock">;

/** @returns a check that throws AppError 403 `permission_missing` */
export const createPermissionCheck =
  ({ reads, clock }: PermissionCheckDeps, permission: Permission) =>
  async (actor: Actor): Promise<void> => {
    const user = await reads.users.find(userIdOf(actor));
    const isUser = user?.isActive === 1 && ROLE_PERMISSIONS[roleOf(user)].includes(permission);
    const isKey = actor.kind === "session" || (await isValidKey(reads, actor.keyId, clock.now()));
    if (!isUser || !isKey)
      throw forbidden(
        "permission_missing",
        `Who has started this no longer has the permission ${permission}.`,
      );
  };

async function isValidKey(
  { apiKeys }: PermissionCheckDeps["reads"],
  id: string,
  now: number,
): Promise<boolean> {
  const key = await apiKeys.find(id);
  return key !== undefined && (key.expiresAt === null || key.expiresAt > now);
}
