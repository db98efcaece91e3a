import { chmod, chown, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../context.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { createFairQueue } from '../../../infra/queue/create-fair-queue.ts'
import type { ProcessResult } from '../../../infra/sandbox/run-process.ts'
import { type Limits, runSandboxed } from '../../../infra/sandbox/run-sandboxed.ts'
import { decoderSandbox } from './decoder-sandbox.ts'

export type Decoding = {
  queue: DecodeQueueName
  program: string
  /** The arguments. `output` is where the program writes its result; empty if the decoding has none. */
  args(output: string): readonly string[]
  /** The file to open, the only one that the program can see. */
  input: string
  /** Where the result is moved to if the program succeeds. */
  output: string | null
  /** The ending that the program itself adds to the name of its result. */
  ending?: string
  limits: Limits
}

const resultName = 'result'

/**
 * Runs a decoder on one file in the sandbox. Each run has a process and an output folder of its own, so that a decoder which is taken over by
 * a file never sees a file of another workspace. A program may succeed without a result, so its caller looks for the file.
 */
export function runDecoder(owner: DecodeOwner, decoding: Decoding): Promise<ProcessResult> {
  const { output } = decoding
  return runQueued(owner, decoding.queue, () =>
    output === null ? run(owner, decoding, null) : runWithOutput(owner, decoding, output),
  )
}

async function runWithOutput(owner: DecodeOwner, decoding: Decoding, output: string): Promise<ProcessResult> {
  const { spoolDir } = owner.ctx.storage
  await mkdir(spoolDir, { recursive: true })
  const outputDir = await mkdtemp(join(spoolDir, 'decode-'))
  try {
    const done = await run(owner, decoding, outputDir)
    if (!done.ok) return done
    const isSafe = await takeResult(join(outputDir, `${resultName}${decoding.ending ?? ''}`), output)
    return isSafe ? done : { ok: false, reason: 'failed', detail: 'the result is not a plain file' }
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

async function run({ ctx }: DecodeOwner, decoding: Decoding, outputDir: string | null): Promise<ProcessResult> {
  const { program, input, limits } = decoding
  const { sandbox, programs } = await decoderSandbox(ctx)
  const args = decoding.args(outputDir === null ? '' : join(outputDir, resultName))
  return runSandboxed(sandbox, { program, args, input, outputDir, programs, limits })
}

/**
 * Moves the result, if there is one, to its place. It is checked there, where the decoder cannot replace it any more: a link would make us
 * publish the file that it points to. False if it is anything but a plain file.
 */
async function takeResult(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const found = await lstat(to)
  if (!found.isFile() || found.nlink !== 1) {
    await rm(to, { recursive: true, force: true })
    return false
  }
  if (process.getuid && found.uid !== process.getuid()) await chown(to, process.getuid(), process.getgid?.() ?? 0)
  await chmod(to, 0o644)
  return true
}

/** The workspace whose file is opened. It waits in the queue for its own files only. */
export type DecodeOwner = { ctx: Context; workspaceId: string }

/** inspect: a few seconds at most, and a person waits for it. render: a video may take ten minutes. */
type DecodeQueueName = 'inspect' | 'render'

/** Memory is limited per program, so their number is limited too: one per processor, but at least two, so that workspaces can share. */
export const decodeSlots = Math.max(2, availableParallelism())

/** A render takes long and is not interrupted, therefore one workspace never gets all slots for renders. */
function createDecodeQueues() {
  return {
    value: {
      inspect: createFairQueue({ slots: decodeSlots }),
      render: createFairQueue({ slots: decodeSlots, perWorkspaceMax: decodeSlots - 1 }),
    },
  }
}

/** Runs a program that opens an untrusted file, as soon as it is the workspace's turn. */
export function runQueued<T>({ ctx, workspaceId }: DecodeOwner, queue: DecodeQueueName, task: () => Promise<T>): Promise<T> {
  const { decodersRunning, decodersWaiting } = getMetrics(ctx)
  decodersWaiting.inc({ queue })
  return ctx.resources.get(createDecodeQueues, ctx)[queue].run({ workspaceId }, async () => {
    decodersWaiting.dec({ queue })
    decodersRunning.inc({ queue })
    try {
      return await task()
    } finally {
      decodersRunning.dec({ queue })
    }
  })
}
