import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal, tooLarge } from './errors.ts'
import { api } from './site.routes.ts'

const smallBytesMax = 50_000

/** The endings that Ghost takes on each of its addresses, and the type that goes with each (shared/config/overrides.json). */
const kinds = {
  images: {
    what: 'image',
    types: { jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  },
  media: { what: 'media file', types: { mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' } },
  files: { what: 'file', types: { pdf: 'application/pdf' } },
} as const

export function fileRoutes(context: PlatformContext): Route[] {
  return (['images', 'media', 'files'] as const).map((kind) => ({
    method: 'POST',
    path: `${api}/${kind}/upload/`,
    operation: 'stage',
    handle: (call: Call, session: Session) => upload(context, kind, call, session),
  }))
}

function upload(context: PlatformContext, kind: keyof typeof kinds, call: Call, { account }: Session) {
  if (account.handle.startsWith('small-') && call.body.length > smallBytesMax) throw tooLarge()
  const { what, types } = kinds[kind]
  const file = call.files.get('file')
  if (!file) throw refusal('ValidationError', { message: `Please select a ${what}.` })
  const ending = file.filename.split('.').at(-1)?.toLowerCase() ?? ''
  const mime = new Map<string, string>(Object.entries(types)).get(ending)
  if (mime === undefined || mime !== file.mime)
    throw refusal('UnsupportedMediaTypeError', { message: `Please select a valid ${what}.` })
  const id = String(context.nextNumber())
  const { bytes } = file
  context.simulator.media.add(context.name, { id, account, mime, bytes, alt: '', readyAtMs: context.now() })
  const url = `${context.simulator.url}/media/${context.name}/${id}`
  return json(201, { [kind]: [{ url, ref: textOf(call.fields?.['ref']) ?? null }] })
}
