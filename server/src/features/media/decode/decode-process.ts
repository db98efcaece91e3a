import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { DecodeJob } from './decode-job.ts'

// The program that opens strangers' files; it runs apart from everything else. One job in, one line of JSON out.

/** On top of what Node itself reserves. A file that needs more is refused. */
const dataBytesMax = 190 * 1024 * 1024

limitMemory()
const job: DecodeJob = JSON.parse(process.argv[2] ?? '')
process.stdout.write(JSON.stringify(await work(job)))
// Native threads of a half-read file would keep the process waiting.
process.exit(0)

/** Only what the job needs is loaded: a decoder is slower to start than most files are to read. */
async function work(wanted: DecodeJob): Promise<unknown> {
  if (wanted.kind === 'image') return (await import('./read-image.ts')).readImage(wanted)
  if (wanted.kind === 'pdf') return (await import('./read-pdf.ts')).readPdf(wanted)
  return (await import('./render-image.ts')).renderImage(wanted)
}

function limitMemory(): void {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    const reserved = Number(/VmData:\s+(\d+) kB/.exec(status)?.[1]) * 1024
    execFileSync('prlimit', ['--pid', String(process.pid), `--data=${reserved + dataBytesMax}`, '--core=0'])
  } catch {
    // Not Linux, or without prlimit: the time limit and the caps on pixels, frames and pages remain.
  }
}
