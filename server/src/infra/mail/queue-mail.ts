import type { Config } from '../../config.ts'
import type { Database, Db, Tx } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { open, seal } from '../sealing/seal.ts'
import type { Logger } from 'pino'
import type { Mail, Mailer } from './mailer.ts'
import { insertMail, type OutgoingMailRow } from './outgoing-mail.store.ts'

/** The part of the context that sending mail needs. */
export type MailContext = {
  config: Pick<Config, 'secretKeys'>
  db: Database
  mail: Mailer
  log: Logger
  nowMs(): number
}

type QueuedMail = {
  mail: Mail
  /** After this time the mail is not tried again. */
  lastsMs: number
  /** The invitation that shows whether the mail was sent. Deleting the invitation deletes the mail. */
  invitation?: { workspaceId: string; id: string }
  waitMs?: number
}

const placeOf = (id: string) => ({ workspaceId: '', rowId: id, column: 'letter' })

/** Queues a mail in the caller's transaction. It is tried until a mail server accepts it. */
export async function queueMail(
  { config, nowMs }: Pick<MailContext, 'config' | 'nowMs'>,
  db: Db | Tx,
  { mail, lastsMs, invitation, waitMs = 0 }: QueuedMail,
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

export function openMail({ config }: Pick<MailContext, 'config'>, { id, letter_sealed }: OutgoingMailRow): Mail {
  return JSON.parse(open(config.secretKeys, placeOf(id), letter_sealed))
}
