import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCommit } from '@carillon/stack/services'
import { fieldsOf, listOf, parseJson } from './json.ts'
import type { Figures } from './report.ts'

/** What is stored of a seed: its figures, and the commit that was tested. */
type RecordedSeed = Figures & { commit: string }

const resultsDir = join(import.meta.dirname, '../../bench/results')

/** Adds a batch to the results file, one line for each seed. A seed that ran before replaces its line. */
export async function recordFigures(mode: string, batch: readonly Figures[]): Promise<string> {
  const file = join(resultsDir, `chaos-${mode}.json`)
  const commit = describeCommit()
  const before = listOf(fieldsOf(parseJson(await readFile(file, 'utf8').catch(() => '')))['seeds']).map(fieldsOf)
  const again = new Set<unknown>(batch.map(({ seed }) => seed))
  const seeds = [
    ...before.filter(({ seed }) => !again.has(seed)),
    ...batch.map((each): RecordedSeed => ({ ...each, commit })),
  ].toSorted((a, b) => Number(a.seed) - Number(b.seed))
  const sum = (name: string) => seeds.reduce((total, each) => total + Number(fieldsOf(each)[name] ?? 0), 0)
  const head = ['channels', 'kills', 'faults', 'unconfirmed', 'lost', 'doubled', 'other', 'eventsMissing'].map(
    (name) => `  "${name}": ${sum(name)},`,
  )
  const lines = seeds.map((each) => `    ${JSON.stringify(each)}`)
  await mkdir(resultsDir, { recursive: true })
  await writeFile(file, `{\n  "mode": "${mode}",\n${head.join('\n')}\n  "seeds": [\n${lines.join(',\n')}\n  ]\n}\n`)
  return file
}
