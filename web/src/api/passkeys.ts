import { send } from './send.ts'

/** Browsers without these functions cannot use passkeys here; all current ones have them. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Asks the device for a passkey and signs in with it. */
export async function signInWithPasskey(signal?: AbortSignal): Promise<void> {
  const options = await send<PublicKeyCredentialRequestOptionsJSON>('/auth/passkey/generate-authenticate-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, ...(signal && { signal }) })
  await send('/auth/passkey/verify-authentication', { method: 'POST', body: { response: toJson(credential) } })
}

/** Makes a new passkey for the person who is signed in. */
export async function addPasskey({ name, password }: { name: string; password?: string }): Promise<void> {
  const options = await send<PublicKeyCredentialCreationOptionsJSON>('/auth/passkey/generate-register-options', {
    method: 'POST',
    body: password === undefined ? {} : { password },
  })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  await send('/auth/passkey/verify-registration', { method: 'POST', body: { response: toJson(credential), name } })
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey was chosen', 'NotAllowedError')
  return credential.toJSON()
}
