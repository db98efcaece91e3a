import type { AccountWebhook, Webhook } from '@carillon/contract'
import { maskAddress } from '../mask-address.ts'
import type { AccountWebhookRow, MembersWebhook, ReceivingWorkspace } from './account-webhook.store.ts'

/** To its person. Only the answer that created the secret shows all of it. */
export function presentAccountWebhook(
  row: AccountWebhookRow,
  workspaces: readonly ReceivingWorkspace[],
  secret = `whsec_…${row.secret_hint}`,
): AccountWebhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    secret,
    active: row.active,
    disabledReason: row.disabled_reason,
    retries: row.retries,
    workspaces: workspaces.filter(({ receives }) => receives).length,
    shutOut: workspaces.filter(({ receives }) => !receives).map(({ id, name }) => ({ workspaceId: id, name })),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** To members of a workspace. The address is for nobody there: not even an admin can change it. */
export function presentMembersWebhook(row: MembersWebhook): Webhook {
  const isShutOut = row.account_webhooks_shut_out
  return {
    id: row.id,
    url: maskAddress(row.url),
    events: row.events,
    secret: 'whsec_…',
    active: row.active && !isShutOut,
    disabledReason: isShutOut ? 'An owner of this workspace has shut it out.' : row.disabled_reason,
    ...(row.retries !== 'short' && { retries: row.retries }),
    account: { userId: row.person_id, name: row.name, email: row.email, isShutOut },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
