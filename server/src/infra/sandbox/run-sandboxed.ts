import { chmod, chown, stat } from 'node:fs/promises'
import { runProcess, type ProcessResult } from './run-process.ts'
import type { Sandbox } from './sandbox.ts'

export type Limits = {
  timeoutMs: number
  /**
   * The limit on the time of processors that the program uses, in whole seconds at least. On a busy machine a harmless file takes long to open;
   * one that was made to keep us busy computes long. Like the next one, it needs `prlimit`.
   */
  cpuMs?: number
  /** The limit on the program's data memory. `prlimit` sets it, which every Linux has; elsewhere there is no limit. */
  dataBytes?: number
  /** The largest file that the program may write. */
  fileBytes?: number
}

export type SandboxRun = {
  program: string
  args: readonly string[]
  /** The one file that the program may read. */
  input: string
  /** An empty folder, the only one that the program may write to; null if it writes nothing. */
  outputDir: string | null
  programs: readonly string[]
  limits: Limits
}

/** Users that no Linux distribution assigns: systemd's list of ranges leaves these free. Each run has one that no other run uses. */
const firstUid = 60_578
const uidCount = 600
const usedUids = new Set<number>()

/** More than any decoder needs, and few enough that a program which only starts others does not stop the machine. */
const processesMax = 1024
const filesMax = 256

/** Runs a program that opens an untrusted file: confined by the sandbox, and with limits on time and memory. */
export async function runSandboxed(sandbox: Sandbox, run: SandboxRun): Promise<ProcessResult> {
  const { input, outputDir, programs, limits } = run
  const program = sandbox.findProgram(run.program)
  if (program === null) return { ok: false, reason: 'missing', detail: `${run.program} is not installed` }
  const uid = sandbox.hasOwnUser ? takeUid() : null
  try {
    if (uid !== null) await giveAccess(uid, { input, outputDir })
    const { argv, fd3 } = sandbox.launch([program, ...run.args], { input, outputDir, programs, uid })
    const limiter = sandbox.findProgram('prlimit') ? ['prlimit', ...limitArgs(limits, uid), '--'] : []
    return await runProcess({ argv: [...limiter, ...argv], fd3 }, { cwd: outputDir ?? '/', timeoutMs: limits.timeoutMs })
  } finally {
    if (uid !== null) usedUids.delete(uid)
  }
}

function limitArgs({ cpuMs, dataBytes, fileBytes }: Limits, uid: number | null): string[] {
  return [
    '--core=0',
    `--nofile=${filesMax}`,
    // The signal at the first number tells it from other ends; a program that ignores it ends a second later.
    ...(cpuMs === undefined ? [] : [`--cpu=${Math.ceil(cpuMs / 1000)}:${Math.ceil(cpuMs / 1000) + 1}`]),
    ...(dataBytes === undefined ? [] : [`--data=${dataBytes}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
    // It counts all processes of a user, so it is set only for a user that runs nothing else.
    ...(uid === null ? [] : [`--nproc=${processesMax}`]),
  ]
}

/** Two programs at once never have the same user, so they cannot signal each other or change each other's files. */
function takeUid(): number {
  let uid = firstUid + Math.floor(Math.random() * uidCount)
  while (usedUids.has(uid)) uid = firstUid + ((uid - firstUid + 1) % uidCount)
  usedUids.add(uid)
  return uid
}

/** Who can reach a file is decided by the folders around it, so making the file itself readable opens it to nobody else. */
async function giveAccess(uid: number, { input, outputDir }: Pick<SandboxRun, 'input' | 'outputDir'>): Promise<void> {
  const { mode } = await stat(input)
  if ((mode & 0o004) === 0) await chmod(input, (mode & 0o777) | 0o004)
  if (outputDir !== null) await chown(outputDir, uid, uid)
}
