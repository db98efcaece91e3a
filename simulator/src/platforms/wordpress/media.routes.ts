import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Upload } from '../../http/read-multipart.ts'
import type { Route, Session } from '../../platform.ts'
import type { Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { plainText } from '../../text/read-html.ts'
import { refusal, tooLarge } from './errors.ts'
import { api, isKind } from './site.ts'

const smallBytesMax = 50_000

/** The endings that WordPress allows, and what each file must be. */
const mimeByEnding: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  pdf: 'application/pdf',
}

export function mediaRoutes(context: PlatformContext): Route[] {
  /** The alternative texts as they are stored. Readers are shown what their entities stand for. */
  const written = context.createTable<string>('alternative texts')

  const view = ({ id, mime, alt }: Media) => ({
    id: Number(id),
    date_gmt: new Date(context.now()).toISOString().slice(0, 19),
    status: 'inherit',
    type: 'attachment',
    alt_text: written.get(id) ?? alt,
    media_type: mime.startsWith('image/') ? 'image' : 'file',
    mime_type: mime,
    source_url: urlOf(context, id),
  })

  const writeAlt = (id: string, text: string): string => {
    const stored = sanitize(text)
    written.set(id, stored)
    return plainText(stored)
  }

  const upload = (call: Call, { account }: Session) => {
    if (isKind(account, 'small') && call.body.length > smallBytesMax) throw tooLarge()
    if (isKind(account, 'contributor')) throw refusal('rest_cannot_create')
    const { filename, mime, bytes } = call.files.get('file') ?? rawFile(call)
    const ending = filename.split('.').at(-1)?.toLowerCase() ?? ''
    if (mimeByEnding[ending] !== mime) throw refusal('rest_upload_unknown_error')
    const id = String(context.nextNumber())
    const alt = writeAlt(id, textOf(call.fields?.['alt_text']) ?? '')
    const readyAtMs = context.now()
    return json(201, view(context.simulator.media.add(context.name, { id, account, mime, bytes, alt, readyAtMs })))
  }

  const change = ({ params, fields = {} }: Call, { account }: Session) => {
    const media = context.simulator.media.find(context.name, params['id'] ?? '')
    if (media?.account !== account) throw refusal('rest_post_invalid_id')
    const alt = textOf(fields['alt_text'])
    if (alt !== undefined) media.alt = writeAlt(media.id, alt)
    return json(200, view(media))
  }

  return [
    { method: 'POST', path: `${api}/media`, operation: 'stage', handle: upload },
    { method: 'POST', path: `${api}/media/:id`, operation: 'stage', handle: change },
  ]
}

function urlOf(context: PlatformContext, id: string): string {
  return `${context.simulator.url}/media/${context.name}/${id}`
}

/** A body that is the file itself names it in a header. */
function rawFile({ headers, body }: Call): Upload {
  const filename = /filename="([^"]+)"/.exec(headers['content-disposition'] ?? '')?.[1]
  if (filename === undefined || body.length === 0) throw refusal('rest_upload_no_data')
  return { filename, mime: headers['content-type'] ?? '', bytes: body }
}

/**
 * What WordPress 6.5 makes of an alternative text: `_sanitize_text_fields` in wp-includes/formatting.php, and then `update_metadata`, which takes
 * backslashes away.
 */
function sanitize(text: string): string {
  let line = text.includes('<') ? withoutTags(text) : text
  line = line.replaceAll(/[\r\n\t ]+/g, ' ').trim()
  // What is left of an escaped byte may form another one.
  for (let longer = ''; longer !== line;) {
    longer = line
    line = line.replaceAll(/ *%[\da-f]{2} */gi, (byte) => (byte.includes(' ') ? ' ' : '')).trim()
  }
  return line.replaceAll(/\\(.?)/gs, '$1')
}

/** A `<` that begins no tag stays, as an entity; the text of a script goes with it. */
function withoutTags(text: string): string {
  return text
    .replaceAll(/<[^>]*?(?:(?=<)|>|$)/g, (part) => (part.includes('>') ? part : escapeText(part)))
    .replaceAll(/<(script|style)[^>]*?>.*?<\/\1>/gis, '')
    .replaceAll(/<[^>]*>/g, '')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
