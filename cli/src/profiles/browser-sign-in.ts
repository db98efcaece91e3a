import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { cleanText } from '../output/clean-text.ts'
import type { Terminal } from '../terminal.ts'

/** Under this name every Carillon knows its command line. */
const clientId = 'carillon-cli'
const timeoutMs = 30_000

/** What a sign-in with a browser gives: it ends after an hour and is renewed with `refreshToken`. */
export type Tokens = { apiKey: string; refreshToken: string; expiresAt: string; workspaceId: string }

type Answer = Readonly<Record<string, unknown>>

/** Shows an address and a code, and waits until a person has allowed the access there, on this or on another device (RFC 8628). */
export async function signInWithBrowser(url: string, terminal: Terminal): Promise<Tokens> {
  const { status, answer: started } = await post(url, 'device', {})
  if (status !== 200) throw refused(started, `${url} has no sign-in with a browser; use an API key`)
  const deviceCode = textOf(started, 'device_code')
  const endsAtMs = Date.now() + Number(started['expires_in']) * 1000
  terminal.note(
    `Open ${cleanText(textOf(started, 'verification_uri'))} and enter the code ${cleanText(textOf(started, 'user_code'))}`,
  )
  terminal.note('Waiting until you have decided there …')
  let waitMs = Number(started['interval'] ?? 5) * 1000
  while (Date.now() < endsAtMs) {
    await sleep(waitMs)
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode }
    const { status: polled, answer } = await post(url, 'token', form).catch(() => ({ status: 503, answer: {} as Answer }))
    if (polled === 200) return readTokens(answer)
    if (answer['error'] === 'slow_down') waitMs += 5000
    else if (answer['error'] !== 'authorization_pending' && polled < 500 && polled !== 429)
      throw refused(answer, 'The access was not allowed')
  }
  throw refused({}, 'The code has expired; sign in again')
}

/** Undefined: the access has ended. */
export async function renewTokens(url: string, refreshToken: string): Promise<Tokens | undefined> {
  const { status, answer } = await post(url, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken })
  if (status === 200) return readTokens(answer)
  if (answer['error'] === 'invalid_grant') return undefined
  throw refused(answer, 'The access could not be renewed')
}

export async function endAccess(url: string, refreshToken: string): Promise<void> {
  const { status, answer } = await post(url, 'revoke', { token: refreshToken })
  if (status !== 200) throw refused(answer, 'The access could not be ended')
}

async function post(url: string, path: string, form: Record<string, string>): Promise<{ status: number; answer: Answer }> {
  try {
    const response = await fetch(`${url}/oauth/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...form }),
      // A token goes to the server that was named and to no other.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { status: response.status, answer: text.startsWith('{') ? (JSON.parse(text) as Answer) : {} }
  } catch (cause) {
    throw new CommandError(`${url} cannot be reached. Is the address right, and is there a network?`, {
      code: 'connection_failed',
      exitCode: exitCodes.unreachable,
      cause,
    })
  }
}

function readTokens(answer: Answer): Tokens {
  return {
    apiKey: textOf(answer, 'access_token'),
    refreshToken: textOf(answer, 'refresh_token'),
    expiresAt: new Date(Date.now() + Number(answer['expires_in']) * 1000).toISOString(),
    workspaceId: textOf(answer, 'workspace_id'),
  }
}

function textOf(answer: Answer, name: string): string {
  const value = answer[name]
  if (typeof value !== 'string') throw refused({}, `The server did not send ${name}`)
  return value
}

function refused(answer: Answer, fallback: string): CommandError {
  const { error, error_description: description } = answer
  const code = typeof error === 'string' ? cleanText(error) : 'sign_in_failed'
  const message = typeof description === 'string' ? cleanText(description) : `${fallback}.`
  return new CommandError(`${message} (${code})`, { code, exitCode: exitCodes.refused })
}
