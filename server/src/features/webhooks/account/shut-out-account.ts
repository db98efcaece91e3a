import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { guardRole } from '../../members/guard-role.ts'
import { shutOutAccountWebhooks } from '../../members/shut-out-account-webhooks.ts'
import { requireMembersWebhook } from '../get-webhook.ts'
import { presentMembersWebhook } from './present-account-webhook.ts'

/**
 * Ends, or allows again, that events of the workspace go to the account to which this webhook belongs. It is about all webhooks of the account:
 * otherwise its person would only have to make a new one.
 */
export async function shutOutAccount(
  scope: RequestScope,
  id: string,
  { active, ...others }: BodyOf<typeof webhooks.update>,
): Promise<Webhook> {
  const { tx, principal } = scope
  const { person_id: personId } = await requireMembersWebhook(scope, id)
  if (active === undefined || Object.keys(others).length > 0) throw problem('webhook_of_account')
  guardRole(principal.role, 'owner')
  await shutOutAccountWebhooks(tx, { workspaceId: principal.workspaceId, personId, isShutOut: !active })
  return presentMembersWebhook(await requireMembersWebhook(scope, id))
}
