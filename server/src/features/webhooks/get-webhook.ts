import type { Role, Webhook } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { type MembersWebhook, listMembersWebhooks } from './account/account-webhook.store.ts'
import { presentMembersWebhook } from './account/present-account-webhook.ts'
import { maskAddress, seesAddresses } from './mask-address.ts'
import { type WebhookRow, findWebhook, listWebhooks } from './webhook.store.ts'

export async function getWebhook(scope: RequestScope, id: string): Promise<Webhook> {
  const row = await findWebhook(scope.tx, { workspaceId: scope.principal.workspaceId, id })
  return row ? presentWebhook(row, scope.principal.role) : presentMembersWebhook(await requireMembersWebhook(scope, id))
}

/** Those of the workspace, and then those that owners and admins set for their accounts. */
export async function getWebhooks({ tx, principal }: RequestScope): Promise<Webhook[]> {
  const own = await listWebhooks(tx, principal.workspaceId)
  const ofAccounts = await listMembersWebhooks(tx, principal.workspaceId)
  return [...own.map((row) => presentWebhook(row, principal.role)), ...ofAccounts.map(presentMembersWebhook)]
}

/**
 * A webhook of the workspace. Throws `webhook_not_found` if there is no such webhook, and `webhook_of_account` if only the person of an account
 * can change it. `lock` keeps its row unchanged until the transaction ends.
 */
export async function requireWebhook(scope: RequestScope, id: string, lock = false): Promise<WebhookRow> {
  const row = await findWebhook(scope.tx, { workspaceId: scope.principal.workspaceId, id }, lock)
  if (row) return row
  await requireMembersWebhook(scope, id)
  throw problem('webhook_of_account')
}

/** A webhook that an owner or admin of the workspace set for their account. */
export async function requireMembersWebhook({ tx, principal }: RequestScope, id: string): Promise<MembersWebhook> {
  const [row] = await listMembersWebhooks(tx, principal.workspaceId, id)
  if (!row) throw problem('webhook_not_found')
  return row
}

/** `isWhole`: the caller may read the whole address and what the receiver answers. */
export type Receiver = { workspaceId: string; id: string; url: string; isOfAccount: boolean; isWhole: boolean }

/** Where deliveries of this workspace go, by a webhook of the workspace or of a member's account. */
export async function requireReceiver(scope: RequestScope, id: string): Promise<Receiver> {
  const { workspaceId, role, personId, limits } = scope.principal
  const row = await findWebhook(scope.tx, { workspaceId, id })
  if (row) return { workspaceId, id, url: row.url, isOfAccount: false, isWhole: seesAddresses(role) }
  const { url, person_id: ownerId } = await requireMembersWebhook(scope, id)
  // A key that works in one workspace only cannot read the webhooks of the account either.
  return { workspaceId, id, url, isOfAccount: true, isWhole: ownerId === personId && !limits.workspaceOnly }
}

/** Only the answer that created the secret shows all of it; every other answer shows its last characters. */
export function presentWebhook(row: WebhookRow, role: Role, secret = `whsec_…${row.secret_hint}`): Webhook {
  const isChat = row.format !== 'json'
  return {
    id: row.id,
    // What is stored of the address of a chat is masked already.
    url: seesAddresses(role) ? row.url : maskAddress(row.url),
    events: isChat ? (row.chat_events ?? []) : row.events,
    secret: isChat ? null : secret,
    ...(isChat && { format: row.format }),
    active: row.active,
    disabledReason: row.disabled_reason,
    // Shown where it was chosen: a webhook without it looks as it did before there was a choice.
    ...(row.retries !== 'short' && { retries: row.retries }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
