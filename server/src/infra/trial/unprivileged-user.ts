import { readFileSync } from 'node:fs'
import { StartError } from '../problem/start-error.ts'

export type User = { uid: number; gid: number }

/** PostgreSQL refuses to run as root: then it runs as the user `postgres` if there is one, otherwise as `nobody`. */
export function findUnprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new StartError('PostgreSQL cannot run as root. Run this command as an ordinary user.')
}

/**
 * The command line that runs a program as another user. That user may still enter folders that only root may enter, because npm's folder is
 * often inside one. setpriv replaces itself with the program, so the process number stays the same.
 */
export function asUser(user: User | null, command: string, args: readonly string[]): [string, string[]] {
  if (!user) return [command, [...args]]
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  // Without the securebit, access(2) ignores the capability, and initdb looks for its own programs with access(2).
  const capabilities = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return ['setpriv', [...identity, ...capabilities, command, ...args]]
}
