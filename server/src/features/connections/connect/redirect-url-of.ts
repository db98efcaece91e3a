import type { Context } from '../../../context.ts'

/** Where a platform sends the browser back to. It is registered in the developer app. */
export function redirectUrlOf({ config }: Pick<Context, 'config'>, platform: string): string {
  return `${config.publicUrl}/integrations/${platform}/callback`
}
