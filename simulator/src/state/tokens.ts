import type { Account } from './entities.ts'

export type TokenKind = 'access' | 'refresh'
export type TokenState = 'live' | 'expired' | 'revoked'

export type Token = {
  value: string
  kind: TokenKind
  account: Account
  issuedAtMs: number
  expiresAtMs: number
  /** undefined means every scope; tokens from the control interface have every scope. */
  scopes: Set<string> | undefined
  revoked: boolean
}

/** Expired and revoked tokens stay stored, because platforms answer an expired token and an unknown one differently. */
export class Tokens {
  readonly #byValue = new Map<string, Token>()
  readonly #byAccount = new Map<Account, Token[]>()

  issue(token: Omit<Token, 'revoked' | 'scopes'> & { scopes?: Set<string> | undefined }): Token {
    const issued: Token = { scopes: undefined, ...token, revoked: false }
    this.add(issued)
    return issued
  }

  /** Stores a token as it is. */
  add(token: Token): void {
    this.#byValue.set(token.value, token)
    const siblings = this.#byAccount.get(token.account)
    if (siblings) siblings.push(token)
    else this.#byAccount.set(token.account, [token])
  }

  find(value: string | undefined): Token | undefined {
    return value === undefined ? undefined : this.#byValue.get(value)
  }

  expire(account: Account, { kind, atMs }: { kind: TokenKind; atMs: number }): void {
    for (const token of this.#of(account)) if (token.kind === kind && token.expiresAtMs > atMs) token.expiresAtMs = atMs
  }

  /** Without a kind, revokes access and refresh tokens. */
  revoke(account: Account, kind?: TokenKind): void {
    for (const token of this.#of(account)) if (kind === undefined || token.kind === kind) token.revoked = true
  }

  all(): Token[] {
    return [...this.#byValue.values()]
  }

  clear(): void {
    this.#byValue.clear()
    this.#byAccount.clear()
  }

  #of(account: Account): Token[] {
    return this.#byAccount.get(account) ?? []
  }
}

export function stateOf(token: Token, nowMs: number): TokenState {
  if (token.revoked) return 'revoked'
  return token.expiresAtMs <= nowMs ? 'expired' : 'live'
}
