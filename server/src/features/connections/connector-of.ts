import type { Connector } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../context.ts'

export function connectorOf(ctx: Context, platform: string): Connector {
  if (!isPlatform(platform)) throw new Error(`there is no connector for "${platform}"`)
  return ctx.connectors[platform]
}

/** A platform that charges for figures is asked for them only if the operator wants that: in 30 days they cost ten times the post. */
export function readsFigures({ config }: Pick<Context, 'config'>, { manifest, metrics }: Connector): boolean {
  const isPaid = (manifest.prices?.figures ?? 0) > 0
  return metrics !== undefined && (!isPaid || config.paidFigures.includes(manifest.platform))
}

/** Whether the platform tells how many followers an account has, without a charge. */
export function tellsFollowers(ctx: Context, platform: string): boolean {
  return connectorOf(ctx, platform).manifest.followers !== undefined
}
