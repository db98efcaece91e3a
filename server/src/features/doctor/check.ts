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
