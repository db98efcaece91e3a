import type { PasswordAuth } from '../kit/auth.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { readDeclaration } from './declaration.ts'

const lengthMin = 16

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [{ name: 'secret', label: 'Secret', secret: true }],
  perInstance: true,

  // The secret is never sent: it signs each request, and is valid until the receiver has another one.
  async open(http, fields) {
    const secret = (fields.secret ?? '').trim()
    if (secret.length < lengthMin)
      throw refuseEntered(`The secret needs at least ${lengthMin} characters. Enter the same one at the receiver.`)
    await readDeclaration(http, secret).catch((error: unknown) => {
      throw explain(error)
    })
    return { accessToken: secret }
  },
}

/** Most mistakes are made here, so each has a sentence of its own. */
function explain(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  if (error.kind === 'auth')
    return refuseEntered('The receiver refused the signature. Enter the same secret here and there, and check its clock.')
  // A connection that failed has a cause; a page of something else has none.
  if (error.kind === 'unavailable' && error.cause === undefined)
    return refuseEntered('This address does not answer a GET with the declaration of a receiver: JSON with "carillon": 1.')
  return error
}
