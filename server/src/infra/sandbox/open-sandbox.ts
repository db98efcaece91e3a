import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSandboxed } from './run-sandboxed.ts'
import { sandboxLevels, type Sandbox, type SandboxLevel } from './sandbox.ts'
import { findProgram } from './system-paths.ts'
import { hasSyscallFilter, wrapCommand } from './wrap-command.ts'

type Options = {
  /** A folder like those in which files will be opened, to see whether another user can reach it. */
  dir: string
  /** Where the programs are that will run in the sandbox, besides those of the system. */
  programs: readonly string[]
  /** The levels to try, the strongest first. */
  levels?: readonly SandboxLevel[]
  canSwitchUser?: boolean
}

type Candidate = Pick<Sandbox, 'level' | 'hasOwnUser'>

const toolOf: Readonly<Record<SandboxLevel, string | null>> = {
  bubblewrap: 'bwrap',
  landlock: 'perl',
  namespaces: 'unshare',
  user: 'setpriv',
  limits: null,
}

const probeTimeoutMs = 10_000

/** Reads its input and writes its output, as a decoder does. */
const probeProgram = `
const fs = require('node:fs')
fs.writeFileSync(process.argv[2], fs.readFileSync(process.argv[1]))
process.stdout.write('ok')`

/** Finds the strongest level that works on this machine, by running a program at each level until one succeeds. */
export async function openSandbox(options: Options): Promise<Sandbox> {
  const { levels = sandboxLevels, canSwitchUser = process.getuid?.() === 0 } = options
  const unavailable: string[] = []
  for (const candidate of levels.flatMap((level) => candidatesOf(level, canSwitchUser))) {
    const sandbox = createSandbox(candidate, { canSwitchUser, unavailable: [...unavailable] })
    const reason = await findObstacle(sandbox, options)
    if (reason === null) return sandbox
    unavailable.push(`${candidate.level}${candidate.hasOwnUser ? ' with a user of its own' : ''}: ${reason}`)
  }
  throw new Error(`programs that open untrusted files cannot be confined: ${unavailable.join('; ')}`)
}

/** Landlock also works without another user, for example if other users cannot reach the folder of the media. */
function candidatesOf(level: SandboxLevel, canSwitchUser: boolean): Candidate[] {
  const own = { level, hasOwnUser: true }
  const same = { level, hasOwnUser: false }
  if (level === 'limits') return [same]
  if (!canSwitchUser) return level === 'user' ? [] : [same]
  return level === 'landlock' ? [own, same] : [own]
}

function createSandbox(
  { level, hasOwnUser }: Candidate,
  { canSwitchUser, unavailable }: { canSwitchUser: boolean; unavailable: readonly string[] },
): Sandbox {
  const weaker = [...weaknesses[level](hasOwnUser)]
  if (canSwitchUser && !hasOwnUser && level !== 'limits')
    weaker.push('Decoders run as the user of the server, because another user cannot reach its folders.')
  if (!hasSyscallFilter && (level === 'bubblewrap' || level === 'landlock'))
    weaker.push(`System calls are not filtered: those of this processor (${process.arch}) are not known.`)
  return { level, hasOwnUser, weaker, unavailable, findProgram, launch: wrapCommand[level] }
}

/** What a level lacks, compared with bubblewrap. */
const weaknesses: Readonly<Record<SandboxLevel, (hasOwnUser: boolean) => readonly string[]>> = {
  bubblewrap: () => [],
  landlock: () => [
    'Decoders share the network and the list of processes with the server; only the filter of system calls keeps them from using either.',
    'Decoders can find out whether a file exists and how large it is, but cannot read it.',
  ],
  namespaces: (hasOwnUser) => [
    readable(hasOwnUser),
    unfiltered,
    'Decoders can connect to Unix sockets that their user can reach.',
  ],
  user: (hasOwnUser) => [readable(hasOwnUser), unfiltered, connected],
  limits: () => [
    'Decoders run as the user of the server: they can read and change its files, read its environment, and end it.',
    unfiltered,
    connected,
  ],
}

const connected = 'Decoders can open network connections and connect to Unix sockets.'
const unfiltered = 'System calls are not filtered.'

function readable(hasOwnUser: boolean): string {
  return hasOwnUser
    ? 'Decoders can read every file that all users can read.'
    : 'Decoders can read and change every file of the user of the server.'
}

/** Runs a program in the sandbox. Returns null if it works, otherwise what went wrong. */
async function findObstacle(sandbox: Sandbox, { dir, programs }: Options): Promise<string | null> {
  const tool = toolOf[sandbox.level]
  if (tool !== null && findProgram(tool) === null) return `${tool} is not installed`
  if (sandbox.level !== 'limits' && sandbox.level !== 'bubblewrap' && findProgram('setpriv') === null)
    return 'setpriv is not installed'
  await mkdir(dir, { recursive: true })
  const folder = await mkdtemp(join(dir, 'sandbox-'))
  // The input is beside the output, as in a real run; its folder must let another user through.
  const [input, outputDir] = [`${folder}-input`, folder]
  try {
    await writeFile(input, 'probe')
    const done = await runSandboxed(sandbox, {
      program: process.execPath,
      args: ['-e', probeProgram, input, join(outputDir, 'result')],
      input,
      outputDir,
      programs,
      limits: { timeoutMs: probeTimeoutMs },
    })
    if (done.ok) return done.output === 'ok' ? null : 'the probe gave no answer'
    return done.detail.trim().split('\n').at(-1)?.slice(0, 300) ?? done.reason
  } finally {
    await rm(input, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
