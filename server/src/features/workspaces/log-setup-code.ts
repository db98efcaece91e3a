import type { Context } from '../../context.ts'
import { needsSetupCode, setupCode } from '../people/setup-code.ts'
import { canAnyoneSignIn } from '../people/sign-in.store.ts'

/** Tells the operator how to create the first account, as long as there is none. */
export async function logSetupCode({ config, db, log }: Context): Promise<void> {
  if (await canAnyoneSignIn(db.system)) return
  const url = `${config.publicUrl}/welcome`
  if (needsSetupCode(config, { ip: '127.0.0.1' }))
    log.warn({ url }, `nobody can sign in yet: open the url and enter the setup code ${setupCode(config)}`)
  else log.info({ url }, 'nobody can sign in yet: open the url to create the first account')
}
