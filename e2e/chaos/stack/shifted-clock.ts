import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The clock of one process, which can be set apart from that of the others while it runs. */
export type ShiftedClock = { env: Record<string, string>; shift(ms: number): Promise<void> }

/** Null where libfaketime is not installed (`apt install faketime`). */
export async function createShiftedClock(dir: string): Promise<ShiftedClock | null> {
  const library = findLibrary()
  if (library === null) return null
  const file = join(dir, 'clock-offset')
  const shift = (ms: number) => writeFile(file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}\n`)
  await shift(0)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    // Timers run on the monotonic clock, which no administrator can set.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { env, shift }
}

function findLibrary(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : []
  const files = folders.map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
  return files.find((file) => existsSync(file)) ?? null
}
