import type { Draft, Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { streamFiles, uploadOf } from '../kit/stream-multipart.ts'
import { Sent, SentAlbum } from './wire.ts'

type Fields = Record<string, string>
type Kind = 'photo' | 'video' | 'animation' | 'document'

const methods: Record<Kind, string> = {
  photo: '/sendPhoto',
  video: '/sendVideo',
  animation: '/sendAnimation',
  document: '/sendDocument',
}

/** Uploads the files and publishes them: a bot cannot do one without the other. Returns the numbers of the messages. */
export async function sendFiles(http: Http, { media, text, title }: Draft, fields: Fields): Promise<number[]> {
  const [first] = media
  if (!first || media.length > 1) return sendAlbum(http, media, { text, fields })
  const kind = kindOf(first)
  // People see the name of a document above the caption.
  const file =
    kind === 'document' && title !== null ? { ...first, name: `${title}${/\.\w+$/.exec(first.name)?.[0] ?? ''}` } : first
  const form = await streamFiles({ [kind]: file }, { ...fields, ...(text !== '' && { caption: text }), ...shapeOf(first) })
  const { result } = await http.call({ method: 'POST', path: methods[kind], ...uploadOf(form), returns: Sent })
  return [result.message_id]
}

/** The caption of the first file is shown for the whole album. */
async function sendAlbum(
  http: Http,
  media: readonly Media[],
  { text, fields }: { text: string; fields: Fields },
): Promise<number[]> {
  const items = media.map((file, at) => ({
    type: kindOf(file),
    media: `attach://file${at}`,
    ...(at === 0 && text !== '' && { caption: text }),
    ...(file.kind === 'video' && { supports_streaming: true }),
  }))
  const files = Object.fromEntries(media.map((file, at) => [`file${at}`, file]))
  const form = await streamFiles(files, { ...fields, media: JSON.stringify(items) })
  const { result } = await http.call({ method: 'POST', path: '/sendMediaGroup', ...uploadOf(form), returns: SentAlbum })
  return result.map(({ message_id }) => message_id)
}

function kindOf({ kind, mimeType }: Media): Kind {
  if (kind === 'image') return mimeType === 'image/gif' ? 'animation' : 'photo'
  return kind
}

/** Without them, apps show a video as a square until it is loaded. */
function shapeOf({ kind, width, height, durationSeconds }: Media): Fields {
  if (kind !== 'video') return {}
  const known = { width, height, duration: durationSeconds && Math.round(durationSeconds) }
  const entries = Object.entries(known).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return { ...(Object.fromEntries(entries) as Fields), supports_streaming: 'true' }
}
