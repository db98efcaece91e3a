import type { AccountWebhook, BodyOf, Delivery, accountWebhooks } from '@carillon/contract'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordAccountEvent, type AccountAction } from '../../audit/record-change.ts'
import { maskAddress } from '../mask-address.ts'
import { overlapMs } from '../change-webhook.ts'
import { newSecret, openSecret, sealSecret, secretHint } from '../secret.ts'
import { sendTest } from '../present-delivery.ts'
import {
  deleteAccountWebhook,
  findAccountWebhook,
  listAccountWebhooks,
  listReceivingWorkspaces,
  updateAccountWebhook,
  type AccountWebhookRow,
} from './account-webhook.store.ts'
import { presentAccountWebhook } from './present-account-webhook.ts'

// A request about an account belongs to no workspace, so its transaction sees all of them. Every query names the person.

export async function getAccountWebhooks({ tx, principal }: RequestScope): Promise<AccountWebhook[]> {
  const rows = await listAccountWebhooks(tx, principal.personId)
  const workspaces = await listReceivingWorkspaces(tx, principal.personId)
  return rows.map((row) => presentAccountWebhook(row, workspaces))
}

export async function getAccountWebhook(scope: RequestScope, id: string): Promise<AccountWebhook> {
  return present(scope, await requireAccountWebhook(scope, id))
}

/** Throws `webhook_not_found` if this person has no such webhook. `lock` keeps its row unchanged until the transaction ends. */
export async function requireAccountWebhook(
  { tx, principal }: RequestScope,
  id: string,
  lock = false,
): Promise<AccountWebhookRow> {
  const row = await findAccountWebhook(tx, { personId: principal.personId, id }, lock)
  if (!row) throw problem('webhook_not_found')
  return row
}

export async function present({ tx, principal }: RequestScope, row: AccountWebhookRow): Promise<AccountWebhook> {
  return presentAccountWebhook(row, await listReceivingWorkspaces(tx, principal.personId))
}

/** Into the log of the account: the change belongs to no workspace that could have it in its audit log. */
export async function recordForPerson(
  { ctx, tx, principal, traceId }: RequestScope,
  action: AccountAction,
  url: string,
): Promise<void> {
  const { personId } = principal
  await recordAccountEvent(ctx, tx, {
    personId,
    action,
    detail: maskAddress(url),
    ipAddress: null,
    userAgent: null,
    traceId,
  })
}

/** Removes the webhook with all its deliveries in all workspaces, including those not sent yet. */
export async function removeAccountWebhook(scope: RequestScope, id: string): Promise<null> {
  const row = await deleteAccountWebhook(scope.tx, { personId: scope.principal.personId, id })
  if (!row) throw problem('webhook_not_found')
  await recordForPerson(scope, 'account_webhook.remove', row.url)
  return null
}

/** As `rotateSecret` does for a webhook of a workspace. */
export async function rotateAccountSecret(scope: RequestScope, id: string): Promise<Answer<AccountWebhook>> {
  const { ctx, tx, principal, nowMs } = scope
  const place = { workspaceId: '', id }
  const before = await requireAccountWebhook(scope, id, true)
  const secret = newSecret()
  const previous = openSecret(ctx, place, 'secret', before.secret_sealed)
  const row = await updateAccountWebhook(
    tx,
    { personId: principal.personId, id },
    {
      secret_sealed: sealSecret(ctx, place, 'secret', secret),
      secret_hint: secretHint(secret),
      previous_secret_sealed: sealSecret(ctx, place, 'previous_secret', previous),
      previous_secret_until: new Date(nowMs + overlapMs),
      updated_at: new Date(nowMs),
    },
  )
  if (!row) throw problem('webhook_not_found')
  await recordForPerson(scope, 'account_webhook.rotate_secret', row.url)
  const withoutSecret = await present(scope, row)
  return new Answer({ ...withoutSecret, secret }, { subjectId: id, withoutSecret })
}

/** A test is sent from a workspace, like every event. */
export async function testAccountWebhook(
  scope: RequestScope,
  id: string,
  { workspaceId }: BodyOf<typeof accountWebhooks.test>,
): Promise<Delivery> {
  const { url } = await requireAccountWebhook(scope, id)
  const receiving = (await listReceivingWorkspaces(scope.tx, scope.principal.personId)).filter(({ receives }) => receives)
  const from = workspaceId === undefined ? receiving[0] : receiving.find((workspace) => workspace.id === workspaceId)
  if (!from)
    throw problem('workspace_not_found', {
      message:
        workspaceId === undefined
          ? 'You are owner or admin of no workspace whose events this webhook receives.'
          : 'This webhook receives no events of this workspace.',
    })
  return sendTest(scope, { workspaceId: from.id, id, url, isOfAccount: true, isWhole: true })
}
