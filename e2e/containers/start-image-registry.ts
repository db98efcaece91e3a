import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir, freePort, runCommand, startProgram } from '@carillon/stack/services'

/** A registry of container images on this machine, which Docker reaches without TLS. `host` is the first part of the names of its images. */
export type ImageRegistry = { host: string; stop(): Promise<void> }

export async function startImageRegistry(dir: string): Promise<ImageRegistry> {
  const command = await unpackRegistry()
  await mkdir(dir, { recursive: true })
  const host = `127.0.0.1:${await freePort()}`
  const config = join(dir, 'config.yml')
  const storage = { filesystem: { rootdirectory: join(dir, 'data') } }
  await writeFile(config, JSON.stringify({ version: 0.1, storage, http: { addr: host } }))
  const running = await startProgram({
    name: 'docker-registry',
    command,
    args: ['serve', config],
    cwd: dir,
    logFile: join(dir, 'registry.log'),
    isReady: async () => (await fetch(`http://${host}/v2/`)).ok,
  })
  return { host, stop: () => running.stop() }
}

/** The program of the Debian package, unpacked once per machine and not installed. */
async function unpackRegistry(): Promise<string> {
  const folder = join(cacheDir(), 'docker-registry')
  const program = join(folder, 'usr/bin/docker-registry')
  if (existsSync(program)) return program
  const fresh = `${folder}-${process.pid}`
  await mkdir(join(fresh, 'lists/partial'), { recursive: true })
  // Lists of its own: those of the machine may be old, and name files that the mirror no longer has.
  const lists = ['-o', `Dir::State::lists=${join(fresh, 'lists')}`, '-o', 'APT::Sandbox::User=root']
  await runCommand('apt-get', [...lists, '-q', 'update'])
  await runCommand('apt-get', [...lists, '-q', 'download', 'docker-registry'], { cwd: fresh })
  const [file] = (await readdir(fresh)).filter((name) => name.endsWith('.deb'))
  if (file === undefined) throw new Error('this machine has no Debian package docker-registry')
  await runCommand('dpkg', ['-x', file, fresh], { cwd: fresh })
  await rm(join(fresh, 'lists'), { recursive: true })
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
  return program
}
