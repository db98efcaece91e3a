import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Media } from '@carillon/connectors'
import type { MediaRules } from '@carillon/contract'
import { planRendition } from '@carillon/core'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import { Problem } from '../../infra/problem/problem.ts'
import { renderImageFile } from './decode/run-decode-job.ts'
import { inspectFile } from './inspect/inspect-file.ts'
import { receiveFile, type ReceivedFile } from './upload/receive-file.ts'

type Request = {
  workspaceId: string
  url: string
  headers: Record<string, string>
  timeoutMs: number
  bytesMax: number
  rules: MediaRules
}

const renderMsMax = 10_000

/** A picture of a page that is not ours, in memory and within the rules; it is not added to the library. Null if there is none to use. */
export async function fetchPicture(ctx: Context, request: Request): Promise<Media | null> {
  const { url, headers, timeoutMs, bytesMax } = request
  try {
    const reply = await ctx.egress.open({ method: 'GET', url, headers, timeoutMs, bytesMax, https: false, redirects: 3 })
    if (reply.status !== 200) {
      reply.body.destroy()
      return null
    }
    const file = await receiveFile(ctx, reply.body)
    try {
      return file.type === 'image' ? await fitPicture(ctx, request, file) : null
    } finally {
      await rm(file.path, { force: true })
    }
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof Problem && error.status < 500)) throw error
    ctx.log.info({ err: error, url }, 'a picture could not be fetched')
    return null
  }
}

async function fitPicture(ctx: Context, { workspaceId, rules }: Request, file: ReceivedFile): Promise<Media | null> {
  const owner = { ctx, workspaceId }
  const { thumbnail, ...facts } = await inspectFile(owner, file.path, file)
  if (thumbnail) await rm(thumbnail.path, { force: true })
  const source = { ...facts, type: 'image', mimeType: file.mimeType, sizeBytes: file.sizeBytes } as const
  // A file without losses that is too large would have to be made much smaller; a JPEG keeps its size, and is made at once.
  const isLarge = rules.bytesMax !== null && file.sizeBytes > rules.bytesMax && rules.mimeTypes.includes('image/jpeg')
  const plan = planRendition(source, isLarge ? { ...rules, mimeTypes: ['image/jpeg'] } : rules)
  if (plan.kind === 'as_is') return openBytes(await readFile(file.path), { ...facts, mimeType: file.mimeType })
  if (plan.kind !== 'image') return null
  await mkdir(ctx.storage.spoolDir, { recursive: true })
  const outPath = join(ctx.storage.spoolDir, newUuid())
  try {
    const made = await renderImageFile(owner, { path: file.path, outPath, plan: plan.plan, limits: { timeoutMs: renderMsMax } })
    return 'refused' in made ? null : openBytes(await readFile(outPath), { ...made, mimeType: plan.mimeType })
  } finally {
    await rm(outPath, { force: true })
  }
}

function openBytes(bytes: Buffer, facts: Pick<Media, 'width' | 'height' | 'mimeType'>): Media {
  const { width, height, mimeType } = facts
  return {
    kind: 'image',
    name: 'picture',
    mimeType,
    sizeBytes: bytes.length,
    width,
    height,
    durationSeconds: null,
    alt: '',
    read: async () => bytes,
    stream: async (fromByte = 0) => new Blob([new Uint8Array(bytes.subarray(fromByte))]).stream(),
    url: () => Promise.reject(new Error('this picture is in no storage')),
  }
}
