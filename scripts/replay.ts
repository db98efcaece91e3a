import { parseArgs } from 'node:util'
import type { Transcript } from '../contract/src/recording/transcript.ts'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { upStack } from '../stack/src/up.ts'
import { compareTranscripts, judgeDifferences } from './replay/compare-transcripts.ts'
import { explanationsFile, readExplanations, readTranscript, recordTranscript } from './replay/record-transcript.ts'

const usage = `pnpm replay <transcript> [--with <transcript>]
  repeats the live test of a transcript against the simulator, and lists everything in which the two exchanges differ
  --with   compares it with another transcript instead, for example that of another server
Known differences are in <transcript>.explained.json, each with a reason. It fails if a difference is not explained, or an explanation fits none.`
exitWithHelp(usage)

const { values, positionals } = parseArgs({ allowPositionals: true, options: { with: { type: 'string' } } })
const [file] = positionals
if (file === undefined) throw new Error(usage)

const transcript = await readTranscript(file)
const other = values.with === undefined ? await repeat(transcript) : await readTranscript(values.with)
const { unexplained, explained, unused } = judgeDifferences(compareTranscripts(transcript, other), await readExplanations(file))
for (const { line, kinds, detail } of unexplained)
  console.log(`${line}${detail === null ? '' : ` (${detail})`} [${kinds.join(', ')}]`)
for (const { difference } of unused) console.log(`the explanation of "${difference}" fits no difference`)
console.log(`${unexplained.length} differences are not explained, ${explained} are in ${explanationsFile(file)}`)
process.exitCode = unexplained.length + unused.length > 0 ? 1 : 0

async function repeat({ platform, kinds }: Transcript): Promise<Transcript> {
  const stack = await upStack({ name: 'replay', fsync: false })
  try {
    const { slug } = await stack.connect(platform, 'replay')
    return (await recordTranscript(stack, slug, kinds)).transcript
  } finally {
    await stack.stop()
  }
}
