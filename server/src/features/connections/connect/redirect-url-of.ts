import { createHash } from 'node:crypto'
import { isPlatform, platforms, type Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'

/** Where a platform sends the browser back to. It is registered in the developer app. */
export function redirectUrlOf(ctx: Pick<Context, 'config'>, platform: string): string {
  const isNeutral = ctx.config.neutralCallbacks.includes(platform)
  return callbackUrl(ctx, isNeutral ? neutralName(platform) : platform)
}

export function callbackUrl({ config }: Pick<Context, 'config'>, name: string): string {
  return `${config.publicUrl}/integrations/${name}/callback`
}

/**
 * A word for the platform that does not name it, for consoles that refuse addresses with a platform's name. It is no secret. Each platform has
 * its own, so that an answer of one platform cannot be taken for that of another.
 */
function neutralName(platform: string): string {
  return `app-${createHash('sha256').update(`callback ${platform}`).digest('hex').slice(0, 8)}`
}

/** The platform of a callback address, by its name or by the word that stands for it. */
export function platformOfCallback(name: string): Platform | undefined {
  return isPlatform(name) ? name : platforms.find((platform) => neutralName(platform) === name)
}
