import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../judge/violation.ts'
import type { ConnectionFault } from '../plan/plan-connections.ts'
import type { Account } from '../stack/open-account-sets.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { connectAgain } from './connect-again.ts'
import { describeAnswer, sleepUntil } from './drive-post.ts'

/** What became of an account's permission. `lostAtMs` is when the service or the platform confirmed the loss. */
export type PermissionChange = ConnectionFault & { lostAtMs: number | null; regainedAtMs: number | null }

/** How many renewals of the token fail before one works. */
const failedRenewals = 2

/** Takes an account's permission away, by the platform or by disconnecting it, and connects it again where the plan says so. */
export async function driveConnection(
  stack: ChaosStack,
  account: Account,
  change: PermissionChange,
  beganMs: number,
): Promise<Violation[]> {
  const { simulator } = stack
  const { platform, handle } = account
  await sleepUntil(beganMs + change.atMs)
  switch (change.kind) {
    case 'token expires':
      await simulator.expireToken(platform, handle)
      break
    case 'renewal fails':
      await simulator.addFault({
        platform,
        handle,
        operation: 'token',
        times: failedRenewals,
        fault: { kind: 'status', status: 503 },
      })
      await simulator.expireToken(platform, handle)
      break
    case 'token revoked':
      await simulator.revokeTokens(platform, handle)
      break
    case 'disconnect': {
      const path = `/workspaces/${stack.workspaceIds[account.workspace]}/connections/${account.id}`
      const answer = await stack.apis[account.workspace]({ method: 'DELETE', path })
      const isGone = answer.status === 200 || (answer.status === 404 && answer.tries > 1)
      if (!isGone) return [{ kind: 'refused', text: account.slug, detail: `disconnect answered ${describeAnswer(answer)}` }]
    }
  }
  change.lostAtMs = Date.now()
  if (change.reconnectAfterMs === null) return []
  await sleep(change.reconnectAfterMs)
  await connectAgain(stack, account, { isNew: change.kind === 'disconnect' })
  change.regainedAtMs = Date.now()
  return []
}
