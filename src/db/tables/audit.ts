/** Who changed what. */
import type { Generated } from "kysely";

export interface AuditLogTable {
  /** In the order of the changes. */
  id: Generated<number>;
  at: number;
  actorKind: string;
  /** The user or the API key; null for the command line. */
  actorId: string | null;
  actorName: string;
  /** As IP_STORAGE allows. */
  ipAddress: string | null;
  requestId: string | null;
  action: string;
  objectKind: string;
  objectId: string;
  objectName: string;
  /** JSON: `{field: {before?, after?}}` */
  changes: string;
}
