import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { DecodeJob } from './decode-job.ts'

// The program that opens untrusted files, in a process of its own. It takes one job as an argument and prints its result as JSON.

/** Added to the memory that Node itself reserves. A file that needs more is refused. */
const dataBytesMax = 190 * 1024 * 1024

limitMemory()
const job: DecodeJob = JSON.parse(process.argv[2] ?? '')
process.stdout.write(JSON.stringify(await run(job)))
// Native threads that still read the file would keep the process alive.
process.exit(0)

/** Loads only the decoder that the job needs, because loading one takes longer than reading most files. */
async function run(next: DecodeJob): Promise<unknown> {
  if (next.kind === 'image') return (await import('./read-image.ts')).readImage(next)
  if (next.kind === 'pdf') return (await import('./read-pdf.ts')).readPdf(next)
  return (await import('./render-image.ts')).renderImage(next)
}

function limitMemory(): void {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    const reserved = Number(/VmData:\s+(\d+) kB/.exec(status)?.[1]) * 1024
    execFileSync('prlimit', ['--pid', String(process.pid), `--data=${reserved + dataBytesMax}`, '--core=0'])
  } catch {
    // There is no prlimit outside of Linux. The limits on time, pixels, frames and pages still apply.
  }
}
