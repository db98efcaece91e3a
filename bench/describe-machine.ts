import { cpus, loadavg, release, totalmem } from 'node:os'
import { describeCommit } from '@carillon/stack/services'

/** The machine and the commit that were measured. Figures can only be compared when these are known. */
export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  system: string
  node: string
  commit: string
  /** Whether the tree was exactly this commit; files in `results/` do not count. */
  isClean: boolean
  /** The load of the last 1, 5 and 15 minutes before the run started. */
  loadAtStart: number[]
}

const changedSuffix = ' with changes'

/** Called before a scenario starts, so that the load is that of other work. */
export function describeMachine(): Machine {
  const all = cpus()
  const commit = describeCommit()
  return {
    cores: all.length,
    processor: all[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    commit: commit.replace(changedSuffix, ''),
    isClean: /^[0-9a-f]{40}$/.test(commit),
    loadAtStart: loadavg().map((value) => Math.round(value * 100) / 100),
  }
}
