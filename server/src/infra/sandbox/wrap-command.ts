import { buildSyscallFilter } from './build-syscall-filter.ts'
import { landlockLauncher } from './landlock-launcher.data.ts'
import type { Launch, SandboxLevel, SandboxView } from './sandbox.ts'
import { devices, systemPaths } from './system-paths.ts'
import { syscallTables } from './syscalls.data.ts'

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
