import type { Context } from '../../context.ts'
import { needsSetupCode, setupCode } from '../people/setup-code.ts'
import { canAnyoneSignIn } from '../people/session.store.ts'

/** Tells the operator how to create the first account, as long as there is none. The server starts even if that cannot be found out. */
export async function logSetupCode(ctx: Context): Promise<void> {
  try {
    if (!(await canAnyoneSignIn(ctx.db.system))) logFirstRun(ctx)
  } catch (err) {
    ctx.log.warn({ err }, 'it is not known whether anybody can sign in')
  }
}

function logFirstRun({ config, log }: Context): void {
  const url = `${config.publicUrl}/welcome`
  // If other machines can reach the port, so can requests that do not come from this one, for example through a proxy in a container.
  if (needsSetupCode(config, { ip: config.host }))
    log.warn({ url }, `nobody can sign in yet: open the url and enter the setup code ${setupCode(config)}`)
  else log.info({ url }, 'nobody can sign in yet: open the url to create the first account')
}
