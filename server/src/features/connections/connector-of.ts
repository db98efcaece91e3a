import type { Connector } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../context.ts'

export function connectorOf(ctx: Context, platform: string): Connector {
  if (!isPlatform(platform)) throw new Error(`there is no connector for "${platform}"`)
  return ctx.connectors[platform]
}
