import { createHash } from 'node:crypto'
import type { Account } from '../state/entities.ts'
import { randomToken } from '../state/ids.ts'

export type Grant = {
  account: Account
  clientId: string
  redirectUri: string
  scopes: string[]
  challenge: string | undefined
  challengeMethod: string
  expiresAtMs: number
}

/** Each authorization code can be redeemed once, by the client and with the redirect URI it was issued for. */
export class AuthorizationCodes {
  readonly #grants = new Map<string, Grant>()

  issue(grant: Grant): string {
    const code = randomToken()
    this.#grants.set(code, grant)
    return code
  }

  find(code: string | undefined): Grant | undefined {
    return code === undefined ? undefined : this.#grants.get(code)
  }

  /** Returns undefined whatever is wrong, because a platform does not say which part was wrong. */
  redeem(code: string | undefined, proof: Proof): Grant | undefined {
    const grant = this.find(code)
    if (!grant || code === undefined) return undefined
    this.#grants.delete(code)
    const isSameClient = grant.clientId === proof.clientId && grant.redirectUri === proof.redirectUri
    return isSameClient && grant.expiresAtMs > proof.nowMs && matchesChallenge(grant, proof.verifier) ? grant : undefined
  }
}

export type Proof = {
  clientId: string | undefined
  redirectUri: string | undefined
  verifier: string | undefined
  nowMs: number
}

function matchesChallenge({ challenge, challengeMethod }: Grant, verifier: string | undefined): boolean {
  if (challenge === undefined) return true
  if (verifier === undefined) return false
  return challenge === (challengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier)
}
