import type { Tx } from '../../infra/db/db.ts'
import { updateShutOut } from './member.store.ts'

type ShutOut = { workspaceId: string; personId: string; isShutOut: boolean }

/** Whether the webhooks of this member's account receive no events of the workspace. It is forgotten when the membership ends. */
export async function shutOutAccountWebhooks(tx: Tx, shutOut: ShutOut): Promise<void> {
  await updateShutOut(tx, shutOut)
}
