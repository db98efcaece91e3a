import type { Tx } from '../../infra/db/db.ts'
import { findAvatarRow, updateAvatar, type Avatar } from './avatar.store.ts'
import type { ConnectionKey } from './jobs.ts'

export type { Avatar } from './avatar.store.ts'

/** The address of an account's picture, and our copy of it. */
export function findAvatar(tx: Tx, connection: ConnectionKey): Promise<Avatar | undefined> {
  return findAvatarRow(tx, connection)
}

export function saveAvatar(
  tx: Tx,
  connection: ConnectionKey,
  copy: { key: string | null; source: string; at: Date },
): Promise<void> {
  return updateAvatar(tx, connection, copy)
}
