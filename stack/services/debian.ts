import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheDir } from './folders.ts'
import { runCommand } from './run-command.ts'

// Another installation on the same machine may hold Debian's lock.
const lockSeconds = 300
const waitForLock = ['-o', `DPkg::Lock::Timeout=${lockSeconds}`]
const withoutPrompts = { DEBIAN_FRONTEND: 'noninteractive' }

/** Installs Debian packages without starting the services in them. */
export async function installDebian(packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error(`needs root to install: apt-get install ${packages.join(' ')}`)
  await withoutServices(async () => {
    await updateLists(waitForLock)
    await runCommand('apt-get', [...waitForLock, 'install', '-y', '-q', '--no-install-recommends', ...packages], {
      env: withoutPrompts,
    })
  })
}

/** apt waits for the lock of the packages, but not for that of the lists, so it is run again while another apt has them. */
export async function updateLists(flags: readonly string[], { everyMs = 2000 } = {}): Promise<void> {
  const endMs = Date.now() + lockSeconds * 1000
  for (;;) {
    try {
      await runCommand('apt-get', [...flags, 'update', '-q'], { env: { ...withoutPrompts, LC_ALL: 'C' } })
      return
    } catch (error) {
      const isLocked = error instanceof Error && error.message.includes('Could not get lock')
      if (!isLocked || Date.now() > endMs) throw error
      await sleep(everyMs)
    }
  }
}

/** Installs a package from Debian's backports, without touching the machine's list of sources. */
export async function installBackport(name: string): Promise<void> {
  const dir = join(cacheDir(), 'backports')
  await mkdir(join(dir, 'lists/partial'), { recursive: true })
  const targets = await runCommand('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Codename: bookworm'])
  const [uri] = targets.split('\n')
  if (!uri) throw new Error('this machine has no Debian 12 (bookworm) packages to take backports from')
  await writeFile(join(dir, 'backports.list'), `deb [check-valid-until=no] ${uri} bookworm-backports main\n`)
  const sources = [
    `Dir::Etc::sourcelist=${dir}/backports.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${dir}/lists`,
  ]
  const flags = sources.flatMap((source) => ['-o', source])
  await updateLists(flags)
  // A file of an older version, left by an earlier run, would be installed as well.
  for (const old of await debFiles(dir, name)) await rm(join(dir, old))
  await runCommand('apt-get', [...flags, 'download', name], { cwd: dir, env: withoutPrompts })
  const files = await debFiles(dir, name)
  await installDebian(files.map((file) => join(dir, file)))
}

async function debFiles(dir: string, name: string): Promise<string[]> {
  return (await readdir(dir)).filter((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'))
}

const policyFile = '/usr/sbin/policy-rc.d'

/** Debian starts what it installs unless this file exits with 101. An existing file is left as it is. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const isOurs = !existsSync(policyFile)
  if (isOurs) {
    await writeFile(policyFile, '#!/bin/sh\nexit 101\n')
    await chmod(policyFile, 0o755)
  }
  try {
    await work()
  } finally {
    if (isOurs) await rm(policyFile, { force: true })
  }
}
