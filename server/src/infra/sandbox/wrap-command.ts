import { landlockLauncher } from './landlock-launcher.data.ts'
import type { Launch, SandboxLevel, SandboxView } from './sandbox.ts'
import { type SyscallTable, syscallTables } from './syscalls.data.ts'
import { devices, systemPaths } from './system-paths.ts'

// Operations of the classic BPF machine that runs a seccomp filter.
const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06

// Offsets in `struct seccomp_data`.
const numberAt = 0
const archAt = 4
const firstArgumentAt = 16

const allow = 0x7fff0000
const killProcess = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const notPermitted = fail(1)
const notImplemented = fail(38)

/** From here on, numbers are those of the x32 interface, which would be a way around the list. */
const x32From = 0x40000000
/** The flags of `clone` that make a namespace. */
const namespaceFlags = 0x7e020000

type Instruction = { code: number; value: number; ifTrue?: string; ifFalse?: string; label?: string }

/**
 * The program of a seccomp filter: it denies the calls of the table and allows all others. `clone3` is reported as missing, because a filter
 * cannot read its flags; libraries then use `clone`.
 */
function buildSyscallFilter({ auditArch, clone, clone3, denied }: SyscallTable): Buffer {
  return assemble([
    { code: load, value: archAt },
    { code: jumpIfEqual, value: auditArch, ifFalse: 'kill' },
    { code: load, value: numberAt },
    { code: jumpIfAtLeast, value: x32From, ifTrue: 'missing' },
    { code: jumpIfEqual, value: clone3, ifTrue: 'missing' },
    { code: jumpIfEqual, value: clone, ifTrue: 'clone' },
    ...Object.values(denied).map((number) => ({ code: jumpIfEqual, value: number, ifTrue: 'deny' })),
    { code: answer, value: allow },
    { code: load, value: firstArgumentAt, label: 'clone' },
    { code: jumpIfAnyBit, value: namespaceFlags, ifTrue: 'deny' },
    { code: answer, value: allow },
    { code: answer, value: notPermitted, label: 'deny' },
    { code: answer, value: notImplemented, label: 'missing' },
    { code: answer, value: killProcess, label: 'kill' },
  ])
}

/** Writes `struct sock_filter` for each instruction. A jump counts the instructions that it leaves out. */
function assemble(instructions: readonly Instruction[]): Buffer {
  const program = Buffer.alloc(instructions.length * 8)
  const distance = (from: number, label: string | undefined) =>
    label === undefined ? 0 : instructions.findIndex((each) => each.label === label) - from - 1
  for (const [at, { code, value, ifTrue, ifFalse }] of instructions.entries()) {
    program.writeUInt16LE(code, at * 8)
    program.writeUInt8(distance(at, ifTrue), at * 8 + 2)
    program.writeUInt8(distance(at, ifFalse), at * 8 + 3)
    program.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return program
}

type Wrap = (command: readonly string[], view: SandboxView) => Launch

/** How each level puts its protection around a command. */
export const wrapCommand: Readonly<Record<SandboxLevel, Wrap>> = {
  bubblewrap: wrapInBubblewrap,
  landlock: wrapInLandlock,
  namespaces: wrapInNamespaces,
  user: (command, { uid }) => ({ argv: [...asUser(uid), ...command], fd3: null }),
  limits: (command) => ({ argv: [...command], fd3: null }),
}

const table = syscallTables[process.arch]
const filter = table ? buildSyscallFilter(table) : null

/** Whether this processor's system calls are known. */
export const hasSyscallFilter = filter !== null

function asUser(uid: number | null): string[] {
  if (uid === null) return ['setpriv', '--no-new-privs', '--']
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--']
}

/**
 * An empty file system in which only the named paths appear, new namespaces for network, processes and the rest, and the filter of system
 * calls. As root, bubblewrap keeps the right to change the user, which the command then gives up; otherwise it makes a user namespace.
 */
function wrapInBubblewrap(command: readonly string[], { input, outputDir, programs, uid }: SandboxView): Launch {
  const { paths, links } = systemPaths()
  const outputs = outputDir === null ? [] : [outputDir]
  const namespaces = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  const rights =
    uid === null ? ['--unshare-user', '--cap-drop', 'ALL'] : ['--cap-drop', 'ALL', ...keep('SETUID'), ...keep('SETGID')]
  const argv = [
    'bwrap',
    ...namespaces,
    ...rights,
    '--die-with-parent',
    '--new-session',
    ...foldersAbove([...paths, ...programs, ...devices, input, ...outputs]).flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...[...paths, ...programs].flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ at, to }) => ['--symlink', to, at]),
    ...devices.flatMap((path) => ['--dev-bind', path, path]),
    '--proc',
    '/proc',
    '--ro-bind',
    input,
    input,
    ...outputs.flatMap((path) => ['--bind', path, path]),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    ...(filter ? ['--seccomp', '3'] : []),
    '--',
    ...(uid === null ? [] : asUser(uid)),
    ...command,
  ]
  return { argv, fd3: filter }
}

/** All folders around the paths, the outer ones first. bubblewrap itself would make them so that only root can go through. */
function foldersAbove(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    const names = path.split('/').slice(1, -1)
    for (const at of names.keys()) folders.add(`/${names.slice(0, at + 1).join('/')}`)
  }
  return [...folders]
}

function keep(capability: string): string[] {
  return ['--cap-add', `CAP_${capability}`]
}

/** The same view of files by Landlock, which needs no rights. The filter keeps the program from the network and from other processes. */
function wrapInLandlock(command: readonly string[], { input, outputDir, programs, uid }: SandboxView): Launch {
  const { paths, links } = systemPaths()
  const rules = [
    ...[...paths, ...links.map(({ at }) => at), ...programs].map((path) => `x${path}`),
    ...devices.map((path) => `w${path}`),
    'r/proc/self',
    `r${input}`,
    ...(outputDir === null ? [] : [`w${outputDir}`]),
  ]
  const launcher = ['perl', '-e', landlockLauncher, String(table?.prctl ?? 0), filter?.toString('hex') ?? '']
  return { argv: [...asUser(uid), ...launcher, ...rules, '--', ...command], fd3: null }
}

/** Own namespaces for network, processes and shared memory, but the files of the system stay visible. */
function wrapInNamespaces(command: readonly string[], { uid }: SandboxView): Launch {
  const namespaces = ['--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc']
  const user = uid === null ? ['--user', '--map-current-user'] : []
  return { argv: ['unshare', ...user, ...namespaces, '--', ...asUser(uid), ...command], fd3: null }
}
