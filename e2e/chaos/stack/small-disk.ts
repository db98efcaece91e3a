import { chown, mkdtemp, rename, rmdir, stat, statfs, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, type Postgres } from '@carillon/stack/services'

/** The disk of the database's tables, which can be filled. */
export type SmallDisk = { fill(): Promise<void>; empty(): Promise<void>; stop(): Promise<void> }

const freeSize = '6g'
const fillTriesMax = 50

/**
 * Moves the tables to a disk of their own, in memory, whose size can be changed while it is used. The write-ahead log stays where it is, as where
 * operators give it its own disk: a full one there ends PostgreSQL, and 'kill database' is that fault. Null where nothing may be mounted.
 */
export async function moveToSmallDisk(postgres: Postgres, dir: string): Promise<SmallDisk | null> {
  const base = join(dir, 'postgres', 'data', 'base')
  // Not in the stack's folder, which the next run removes: a run that is killed leaves the disk mounted.
  const disk = await mkdtemp(join(tmpdir(), 'carillon-disk-'))
  const run = (command: string, args: readonly string[]) => runCommand(command, args, { cwd: dir })
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, disk])
  const stop = async () => {
    await run('umount', [disk])
    await rmdir(disk)
  }
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${freeSize}`, 'tmpfs', disk])
  } catch {
    await rmdir(disk)
    return null
  }
  try {
    const { uid, gid } = await stat(base)
    await chown(disk, uid, gid)
    await postgres.stop()
    await run('cp', ['-a', base, join(disk, 'base')])
    await rename(base, `${base}-before`)
    await symlink(join(disk, 'base'), base)
    await postgres.restart()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    async fill() {
      // The tables may grow between the two steps, and a disk cannot become smaller than what is on it.
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = await statfs(disk)
        try {
          await resize(String((blocks - bfree) * bsize))
          return
        } catch (error) {
          if (tries === fillTriesMax) throw error
        }
      }
    },
    empty: async () => void (await resize(freeSize)),
    stop,
  }
}
