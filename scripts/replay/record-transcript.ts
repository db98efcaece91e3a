import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transcript } from '../../contract/src/recording/transcript.ts'
import { root } from '../../stack/services/folders.ts'
import type { Stack } from '../../stack/src/up.ts'
import type { Explanation } from './compare-transcripts.ts'

type StepResult = { state: 'held' | 'failed' | 'skipped'; words: string | null }

/** What `carillon live-test --json` prints. */
export type LiveRun = {
  results: {
    kind: string
    published: StepResult
    readBack: StepResult
    figures: StepResult
    deleted: StepResult
    left: string[]
  }[]
  transcript: Transcript
  /** The transcript as the command writes it. */
  text: string
}

/** Runs `carillon live-test` in a stack, on one of its connections. */
export async function recordTranscript(stack: Pick<Stack, 'env'>, slug: string, only?: readonly string[]): Promise<LiveRun> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-live-'))
  const file = join(dir, 'transcript.json')
  const kinds = only === undefined ? [] : ['--only', only.join(',')]
  const args = [join(root, 'server/src/main.ts'), 'live-test', slug, '--yes', '--json', '--transcript', file, ...kinds]
  try {
    const printed = await runToEnd(args, stack.env)
    return { ...(JSON.parse(printed) as Omit<LiveRun, 'text'>), text: await readFile(file, 'utf8') }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** The exit code is 1 if something did not hold, which the result says as well. */
function runToEnd(args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 50_000_000 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (stdout.trim() === '') fail(new Error(`the live test ended without a result: ${stderr}`, { cause: error }))
      else done(stdout)
    })
  })
}

/** A transcript as the command writes it, or the output of the command with `--json`. */
export async function readTranscript(file: string): Promise<Transcript> {
  const read = JSON.parse(await readFile(file, 'utf8')) as Transcript | { transcript: Transcript }
  const transcript = 'transcript' in read ? read.transcript : read
  if (transcript.format !== 1) throw new Error(`${file} is not a transcript that this version can read`)
  return transcript
}

export function explanationsFile(transcriptFile: string): string {
  return transcriptFile.replace(/(?:\.json)?$/, '.explained.json')
}

/** None if there is no such file. */
export async function readExplanations(transcriptFile: string): Promise<Explanation[]> {
  const text = await readFile(explanationsFile(transcriptFile), 'utf8').catch(() => '[]')
  return JSON.parse(text) as Explanation[]
}
