import type { Context } from '../../../context.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { connectorOf } from '../connector-of.ts'
import type { AttemptKey, ConnectFlowRow } from './connect-flow.store.ts'
import type { VerifiedAccount } from './link-account.ts'

type SealedAccount = Omit<VerifiedAccount, 'connector' | 'instanceUrl'>

const placeOf = ({ workspaceId, attemptId }: AttemptKey) => ({ workspaceId, rowId: attemptId, column: 'account' })

/** The account and its tokens, encrypted until a person confirms it. */
export function sealAccount(
  ctx: Context,
  key: AttemptKey,
  { account, accountIds, targets, credentials, capabilities }: VerifiedAccount,
): Buffer {
  const sealed: SealedAccount = { account, accountIds, targets, credentials, capabilities }
  return seal(ctx.config.secretKeys, placeOf(key), JSON.stringify(sealed))
}

export function openAccount(ctx: Context, key: AttemptKey, flow: ConnectFlowRow, sealed: Buffer): VerifiedAccount {
  const opened: SealedAccount = JSON.parse(open(ctx.config.secretKeys, placeOf(key), sealed))
  return { ...opened, connector: connectorOf(ctx, flow.platform), instanceUrl: flow.instance_url }
}
