import { randomUUID } from 'node:crypto'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { pictureRefused } from './errors.ts'

const bytesMax = 20_000_000
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** Lemmy hands uploads to pict-rs, a server of its own behind it. */
export function imageRoutes(context: PlatformContext): Route[] {
  return [
    {
      method: 'POST',
      path: '/pictrs/image',
      operation: 'stage',
      charges: [{ limit: 'image', cost: 1 }],
      handle({ fields, files }, { account }) {
        const file = fields && files.get('images[]')
        if (!file) throw pictureRefused(400, 'Error in multipart form')
        if (file.bytes.length > bytesMax) throw pictureRefused(413, 'Request body is too large')
        const ending = endings[file.mime]
        if (ending === undefined) throw pictureRefused(400, 'Unsupported media type')
        const id = `${randomUUID()}.${ending}`
        const media = { id, account, mime: file.mime, bytes: file.bytes, alt: '', readyAtMs: context.now() }
        context.simulator.media.add(context.name, media)
        const details = { width: 1, height: 1, content_type: file.mime, created_at: new Date(context.now()).toISOString() }
        return json(201, { msg: 'ok', files: [{ file: id, delete_token: randomUUID(), details }] })
      },
    },
  ]
}

export function pictureUrl(context: PlatformContext, id: string): string {
  return `${context.origin}/pictrs/image/${id}`
}
