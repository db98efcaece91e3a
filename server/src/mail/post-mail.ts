import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/db.ts'
import { newId } from '../ids.ts'
import { open, seal } from '../seal/seal.ts'
import type { Mail } from './mailer.ts'
import { insertMail, type OutgoingMailRow } from './outgoing-mail.store.ts'

type Posting = {
  mail: Mail
  /** It is tried no longer than this. */
  lastsMs: number
  /** What is told whether the mail was sent, and takes it along when it goes. */
  invitation?: { workspaceId: string; id: string }
  waitMs?: number
}

const placeOf = (id: string) => ({ workspaceId: '', rowId: id, column: 'letter' })

/** Puts a mail on its way, with whatever else the transaction does: it is tried until a mail server takes it. */
export async function postMail(
  { config, nowMs }: Context,
  db: Db | Tx,
  { mail, lastsMs, invitation, waitMs = 0 }: Posting,
): Promise<void> {
  const id = newId(nowMs())
  await insertMail(db, {
    id,
    workspace_id: invitation?.workspaceId ?? null,
    invitation_id: invitation?.id ?? null,
    letter_sealed: seal(config.secretKeys, placeOf(id), JSON.stringify(mail)),
    attempts: 0,
    due_at: new Date(nowMs() + waitMs),
    ends_at: new Date(nowMs() + lastsMs),
  })
}

export function openLetter({ config }: Context, { id, letter_sealed }: OutgoingMailRow): Mail {
  return JSON.parse(open(config.secretKeys, placeOf(id), letter_sealed))
}
