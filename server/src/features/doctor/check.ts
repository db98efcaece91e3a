import { request } from 'undici'
import type { Config } from '../../config.ts'

/** `skipped`: it could not be checked, and the message says why. That is not a fault. */
export type Status = 'ok' | 'warn' | 'fail' | 'skipped'

/** `message` is one plain sentence. `action` says what to do, if something should be done. */
export type Finding = { status: Status; message: string; action?: string }

/** What checks ask this machine. Tests replace it. */
export type Machine = {
  nowMs(): number
  /** How many bytes this user may still write in a folder. */
  freeBytes(dir: string): Promise<number>
  findProgram(name: string): string | null
}

export type Subject = {
  config: Config
  machine: Machine
  /** One sentence for each environment variable that looks like a setting and is none. */
  unknownSettings: readonly string[]
}

export type Check = {
  /** Stable: programs read it from `carillon doctor --json`. */
  name: string
  /** Checks that must not have failed, because this one would only repeat their failure. */
  after?: readonly string[]
  /** It needs no other service and takes no time, so it also runs when the service starts. */
  isQuick?: boolean
  run(subject: Subject): Promise<Finding>
}

export function ok(message: string): Finding {
  return { status: 'ok', message }
}

export function warn(message: string, action: string): Finding {
  return { status: 'warn', message, action }
}

export function fail(message: string, action: string): Finding {
  return { status: 'fail', message, action }
}

export function skipped(message: string): Finding {
  return { status: 'skipped', message }
}

/** Whether a process of Carillon answers on the private health port of these settings. */
export async function isCarillonRunning({ healthHost, healthPort }: Pick<Config, 'healthHost' | 'healthPort'>): Promise<boolean> {
  const host = healthHost === '0.0.0.0' || healthHost === '::' ? '127.0.0.1' : healthHost
  return isCarillon((await fetchText(`http://${host.includes(':') ? `[${host}]` : host}:${healthPort}/health/live`)).text)
}

/** What `/health/live` of every role answers. */
export function isCarillon(text: string): boolean {
  return text === '{"status":"ok"}'
}

type Fetched = { isOk: true; text: string; dateMs: number | null } | { isOk: false; text: string; problem: string }

const timeoutMs = 5000
const bytesMax = 100_000

/** Reads an address that the operator configured. It does not follow redirects. */
export async function fetchText(url: string): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, headers, body } = await request(url, { signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
    const text = (await body.text()).slice(0, bytesMax)
    const { location, date } = headers
    if (statusCode >= 300) {
      const target = location === undefined ? '' : `, a redirect to ${String(location)}`
      return { isOk: false, text, problem: `it answers with status ${statusCode}${target}` }
    }
    const dateMs = Date.parse(String(date))
    return { isOk: true, text, dateMs: Number.isNaN(dateMs) ? null : dateMs }
  } catch (error) {
    const { code, name, message } = error as Error & { code?: string }
    return { isOk: false, text: '', problem: name === 'TimeoutError' ? 'no answer within 5 seconds' : code || message }
  }
}
