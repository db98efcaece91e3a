import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Media } from '@carillon/connectors'
import type { MediaRules } from '@carillon/contract'
import { formatNumber, planRendition, type RenditionPlan, type RenditionSource } from '@carillon/core'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { MissingToolError } from './decode/decode-job.ts'
import { renderVideo } from './decode/render-video.ts'
import { renderImageFile } from './decode/run-decode-job.ts'
import { renameForType } from './inspect/detect-file-type.ts'
import type { MediaRow } from './media.store.ts'
import { deleteRemovals } from './removal.store.ts'
import { findRendition, insertRendition, type RenditionRow } from './rendition.store.ts'
import { scheduleRemoval, storageKey } from './upload/store-file.ts'

export type PreparedMedia =
  | { ok: true; media: Media; /** A sentence for each change to the file. */ changes: string[] }
  | { ok: false; violations: string[] }

/** Whether the platform shows an alt text for the file, and how long it may be; `max` is null if there is no limit. */
export type AltRules = { isTaken: boolean; max: number | null }

const imageTimeoutMs = 60_000

/** Increase this when the same rules produce a different file, so that older renditions are no longer used. */
const renditionVersion = 2

type StoredMedia = Pick<Media, 'name' | 'mimeType' | 'sizeBytes' | 'width' | 'height' | 'durationSeconds' | 'alt' | 'kind'> & {
  key: string
}

/**
 * Returns a file that the platform accepts: the original, or a rendition that is made for these rules and stored for reuse. Metadata such
 * as the place where a photo was taken is never published.
 */
export async function prepareMedia(
  ctx: Context,
  media: { row: MediaRow; alt?: string },
  rules: MediaRules,
  altRules: AltRules,
): Promise<PreparedMedia> {
  const { row } = media
  const { alt, changes: altChanges } = fitAlt(media.alt ?? row.alt, altRules)
  const plan = planRendition(toRenditionSource(row), rules)
  if (plan.kind === 'cannot') return { ok: false, violations: plan.violations }
  if (plan.kind === 'as_is') return { ok: true, media: openMedia(ctx, row, alt), changes: altChanges }
  const rulesHash = hashOf(rules)
  const found = await findRendition(ctx.db.system, { workspaceId: row.workspace_id, id: row.id }, rulesHash)
  const rendition = found ?? (await makeRendition(ctx, row, plan, rulesHash))
  if ('refused' in rendition) return { ok: false, violations: [rendition.refused] }
  return { ok: true, media: openRendition(ctx, row, rendition, alt), changes: [...rendition.changes, ...altChanges] }
}

type ConversionPlan = Extract<RenditionPlan, { kind: 'image' | 'video' }>
type RenditionFacts = { mimeType: string; sizeBytes: number; width: number; height: number; durationSeconds: number | null }

async function makeRendition(
  ctx: Context,
  row: MediaRow,
  plan: ConversionPlan,
  rulesHash: string,
): Promise<RenditionRow | { refused: string }> {
  const { workspace_id: workspaceId, id } = row
  await mkdir(ctx.storage.spoolDir, { recursive: true })
  const outPath = join(ctx.storage.spoolDir, newUuid())
  try {
    const made = await ctx.storage.withFile(row.storage_key, (path) => render(ctx, row, plan, { path, outPath }))
    if ('refused' in made) return made
    // Each attempt has its own key: two workers may make the same rendition at once, and only one of them is saved.
    const key = storageKey(workspaceId, id, `rendition-${newUuid()}`)
    await ctx.db.tenant(workspaceId, (tx) => scheduleRemoval(ctx, tx, { workspaceId, keys: [key] }))
    await ctx.storage.putFile(key, outPath, { mimeType: made.mimeType })
    return await saveRendition(ctx, row, { made, key, rulesHash, changes: plan.changes.map(({ message }) => message) })
  } finally {
    await Promise.all([outPath, `${outPath}-thumbnail`].map((path) => rm(path, { force: true })))
  }
}

async function render(
  ctx: Context,
  row: MediaRow,
  plan: ConversionPlan,
  { path, outPath }: { path: string; outPath: string },
): Promise<RenditionFacts | { refused: string }> {
  const owner = { ctx, workspaceId: row.workspace_id }
  if (plan.kind === 'image') {
    const result = await renderImageFile(owner, { path, outPath, plan: plan.plan, limits: { timeoutMs: imageTimeoutMs } })
    return 'refused' in result ? result : { ...result, mimeType: plan.mimeType, durationSeconds: null }
  }
  const video = { path, mimeType: row.mime_type, outPath, plan: plan.plan }
  const result = await renderVideo(owner, video).catch((error: unknown) => {
    if (!(error instanceof MissingToolError)) throw error
    return { refused: 'This installation cannot convert videos: ffmpeg is not installed on its server.' }
  })
  return 'refused' in result ? result : { ...result, mimeType: plan.plan.mimeType }
}

type NewRendition = { made: RenditionFacts; key: string; rulesHash: string; changes: string[] }

async function saveRendition(
  ctx: Context,
  row: MediaRow,
  { made, key, rulesHash, changes }: NewRendition,
): Promise<RenditionRow> {
  const { workspace_id: workspaceId, id } = row
  return ctx.db.tenant(workspaceId, async (tx) => {
    const isFirst = await insertRendition(tx, {
      workspace_id: workspaceId,
      media_id: id,
      rules_hash: rulesHash,
      storage_key: key,
      mime_type: made.mimeType,
      size_bytes: made.sizeBytes,
      width: made.width,
      height: made.height,
      duration_seconds: made.durationSeconds,
      changes: JSON.stringify(changes),
      created_at: new Date(ctx.nowMs()),
    })
    // If another worker was first, the removal of this file stays scheduled.
    if (isFirst) await deleteRemovals(tx, { workspaceId, keys: [key] })
    const found = await findRendition(tx, { workspaceId, id }, rulesHash)
    if (!found) throw new Error(`the rendition of media ${id} is missing after its insert`)
    return found
  })
}

function openRendition(ctx: Context, row: MediaRow, rendition: RenditionRow, alt: string): Media {
  return openFile(ctx, {
    kind: row.type,
    name: renameForType(row.name, rendition.mime_type),
    mimeType: rendition.mime_type,
    sizeBytes: Number(rendition.size_bytes),
    width: rendition.width,
    height: rendition.height,
    durationSeconds: rendition.duration_seconds,
    alt,
    key: rendition.storage_key,
  })
}

export function toRenditionSource(row: MediaRow): RenditionSource {
  return {
    type: row.type,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    pages: row.pages,
    traits: row.traits,
  }
}

function fitAlt(alt: string, { isTaken, max }: AltRules): { alt: string; changes: string[] } {
  if (alt === '') return { alt, changes: [] }
  if (!isTaken) return { alt: '', changes: ['The alt text was left out; the platform takes none.'] }
  const characters = Array.from(alt)
  if (max === null || characters.length <= max) return { alt, changes: [] }
  return {
    alt: `${characters.slice(0, max - 1).join('')}…`,
    changes: [`The alt text was cut to ${formatNumber(max)} characters.`],
  }
}

function hashOf(rules: MediaRules): string {
  const sorted = Object.entries(rules).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([renditionVersion, sorted]))
    .digest('hex')
    .slice(0, 32)
}

/** A file of the library in the shape that connectors use. Its bytes are read only on demand. */
function openMedia(ctx: Context, row: MediaRow, alt = row.alt): Media {
  return openFile(ctx, {
    kind: row.type,
    name: row.name,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    alt,
    key: row.storage_key,
  })
}

function openFile({ storage, config }: Context, { key, ...facts }: StoredMedia): Media {
  return {
    ...facts,
    read: async () => buffer(await storage.get(key)),
    stream: async (fromByte = 0) => {
      const range = fromByte === 0 ? undefined : { start: fromByte, end: facts.sizeBytes - 1 }
      return Readable.toWeb(await storage.get(key, range)) as ReadableStream<Uint8Array>
    },
    // Platforms may fetch the file much later, so this URL is valid for longer.
    url: () =>
      storage.signGet(key, {
        expiresInSeconds: config.media.pullSeconds,
        mimeType: facts.mimeType,
        fileName: facts.name,
        isAttachment: facts.kind === 'document',
      }),
  }
}
