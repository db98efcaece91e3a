import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir, root, runCommand } from '@carillon/stack/services'
import { developmentCommit } from './development-commit.data.ts'

/** A version of Carillon that can be started. */
export type Release = {
  name: 'old' | 'new'
  /** What it is, for the output and the record. */
  label: string
  /** The file to start, or undefined for the source of this version. */
  program: string | undefined
}

export const thisRelease: Release = { name: 'new', label: 'this version', program: undefined }

/** With the same code under another address, the drill still shows the replacement of processes, but nothing about schema and jobs. */
export type PreviousRelease = Release & { isOtherCode: boolean }

/**
 * Installs the version that is upgraded from: CARILLON_UPGRADE_FROM (any name that git knows), otherwise the newest release before this
 * version, otherwise a commit of the time before the first release. A clone without history has none of these; then it is this version.
 */
export async function preparePreviousRelease(): Promise<PreviousRelease> {
  const found = await findPrevious()
  if (found === null) {
    const label =
      'the same code under another address, because this clone has neither an earlier release nor the commit to start from'
    return { name: 'old', label, program: undefined, isOtherCode: false }
  }
  const folder = join(cacheDir(), 'releases', found.commit)
  await install(found.commit, folder)
  const label = `${found.label} (${found.commit.slice(0, 10)})`
  return { name: 'old', label, program: join(folder, 'server/src/main.ts'), isOtherCode: true }
}

async function findPrevious(): Promise<{ commit: string; label: string } | null> {
  const wanted = process.env['CARILLON_UPGRADE_FROM']
  if (wanted) {
    const commit = await findCommit(wanted)
    if (commit === null) throw new Error(`CARILLON_UPGRADE_FROM names "${wanted}", which this clone does not have`)
    return { commit, label: wanted }
  }
  const tags = await git(
    'tag',
    '--list',
    'v[0-9]*',
    '--sort=-version:refname',
    '--merged',
    'HEAD',
    '--no-contains',
    'HEAD',
  ).catch(() => '')
  const [tag = ''] = tags.split('\n')
  const release = tag === '' ? null : await findCommit(tag)
  if (release !== null) return { commit: release, label: `the release ${tag}` }
  const commit = await findCommit(developmentCommit)
  return commit === null ? null : { commit, label: 'a commit of the time before the first release' }
}

async function findCommit(name: string): Promise<string | null> {
  return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => null)
}

async function git(...args: string[]): Promise<string> {
  return (await runCommand('git', args, { cwd: root })).trim()
}

/** The files of the commit with the packages of its own lockfile. They stay, so that the next run does not install them again. */
async function install(commit: string, folder: string): Promise<void> {
  const marker = join(folder, '.installed')
  if (existsSync(marker)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const archive = join(folder, 'source.tar')
  await git('archive', '--output', archive, commit)
  await runCommand('tar', ['-xf', archive], { cwd: folder })
  await rm(archive)
  const flags = ['--frozen-lockfile', '--prefer-offline', '--prod', '--filter', '@carillon/server...']
  await runCommand('pnpm', ['install', ...flags], { cwd: folder, env: { CI: 'true' } })
  await writeFile(marker, '')
}
