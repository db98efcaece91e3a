import type { Media } from '@carillon/sdk'
import { Type } from 'typebox'
import type { Desk } from '../desk.ts'
import { type Answer, defineTool, Facts, readOnly } from '../tool.ts'
import { ToolError } from '../words/describe-error.ts'
import { cleanText } from '../words/third-party.ts'
import { writeTime } from '../words/times.ts'

const base64BytesMax = 5_000_000
const File = Type.Object({ id: Type.String(), type: Type.String(), facts: Type.String(), untrustedName: Type.String() })

export const findMedia = defineTool({
  name: 'find_media',
  title: 'Find files',
  description: 'Files of the media library, newest first, with the ids that posts take.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ description: 'Part of the name' })),
      type: Type.Optional(Type.Enum(['image', 'video', 'document'])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 25 })),
      cursor: Type.Optional(Type.String()),
      ticket: Type.Optional(
        Type.String({ pattern: '^[0-9a-f]{24}$', description: 'Only the file sent to this address of add_media' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: { files: Type.Array(File), nextCursor: Type.Optional(Type.String()) },
  async run({ limit = 10, ticket, ...query }, { desk }) {
    const { carillon } = desk
    if (ticket !== undefined) return findByTicket(ticket, desk)
    const { results, total, nextCursor } = await carillon.media.list({ ...query, limit })
    return {
      summary: `${results.length} of ${total} files.${nextCursor === null ? '' : ' There are more: call again with cursor.'}`,
      files: results.map(describeFile),
      ...(nextCursor !== null && { nextCursor }),
    }
  },
})

async function findByTicket(id: string, { carillon, workspace }: Desk): Promise<Answer> {
  const { status, mediaId, expiresAt } = await carillon.media.uploadTicket(id)
  if (mediaId !== null)
    return { summary: 'ARRIVED: the file is in the media library.', files: [describeFile(await carillon.media.get(mediaId))] }
  const until = writeTime(expiresAt, workspace.timezone)
  return status === 'open'
    ? { summary: `NOT YET: no file has arrived. The address works until ${until}.`, next: 'Call again later.', files: [] }
    : { summary: `ENDED: no file arrived until ${until}.`, next: 'Call add_media with ticket again.', files: [] }
}

export const addMedia = defineTool({
  name: 'add_media',
  title: 'Add a file',
  description:
    'Brings a file into the media library: from a public address that the person gave, as base64 up to 5 MB, or with ticket of any size. Returns its id. Publishes nothing.',
  needs: 'draft',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Type.Object(
    {
      url: Type.Optional(Type.String({ maxLength: 2048 })),
      base64: Type.Optional(Type.String({ maxLength: 7_000_000 })),
      ticket: Type.Optional(
        Type.Boolean({
          description: 'Returns an address that takes one file within 15 minutes: you by PUT, or the person in a browser',
        }),
      ),
      name: Type.Optional(Type.String({ description: 'File name, with base64' })),
      alt: Type.Optional(Type.String({ description: 'For people who cannot see it' })),
    },
    { additionalProperties: false },
  ),
  output: { file: Type.Optional(File), upload: Type.Optional(Facts) },
  async run({ url, base64, ticket = false, name = 'file', alt }, { desk }) {
    const { carillon, links } = desk
    if ([url !== undefined, base64 !== undefined, ticket].filter(Boolean).length !== 1)
      throw new ToolError(
        'file_missing',
        'Give one of url, base64 and ticket.',
        "For a file that is only on the person's device, call with ticket: true and give them the address.",
      )
    if (ticket) return makeTicket(alt, desk)
    const added =
      url !== undefined
        ? await carillon.media.fetch({ url })
        : await carillon.media.upload({ file: new globalThis.File([decode(base64 ?? '', links.media)], name) })
    const file = alt === undefined ? added : await carillon.media.update(added.id, { alt })
    return {
      summary: 'ADDED to the media library. Nothing was published.',
      next: 'Use its id in `media` of a post.',
      file: describeFile(file),
    }
  },
})

async function makeTicket(alt: string | undefined, { carillon, workspace }: Desk): Promise<Answer> {
  const { id, url, expiresAt, sizeBytesMax } = await carillon.media.createUploadTicket(alt === undefined ? {} : { alt })
  return {
    summary: `WAITING FOR THE FILE: nothing was added yet. The address takes one file until ${writeTime(expiresAt, workspace.timezone)}.`,
    next: `Send the file with \`curl -T FILE ${url}/\`, or give the person this address to open. Then call find_media with ticket ${id}.`,
    upload: { ticket: id, address: url, sizeBytesMax },
  }
}

function decode(base64: string, uploadPage: string): Uint8Array<ArrayBuffer> {
  const bare = base64.replace(/^data:[^,]{0,200},/, '')
  const bytes = Uint8Array.from(Buffer.from(bare, 'base64'))
  if (bytes.length === 0)
    throw new ToolError('file_unreadable', 'The file is empty or is not base64.', 'Send the content of the file as base64.')
  if (bytes.length > base64BytesMax)
    throw new ToolError(
      'file_too_large',
      'The file is larger than 5 MB.',
      `Call with ticket: true, or ask the person to upload it at ${uploadPage} and call find_media.`,
    )
  return bytes
}

/** The facts of a file. Its name was chosen by somebody. */
export function describeFile({ id, name, type, mimeType, sizeBytes, width, height, durationSeconds, pages, alt }: Media) {
  const facts = [
    mimeType,
    `${Math.ceil(sizeBytes / 1000)} kB`,
    width !== null && height !== null && `${width} × ${height}`,
    durationSeconds !== null && `${Math.round(durationSeconds)} s`,
    pages !== null && `${pages} pages`,
    alt === '' ? 'without alt text' : 'with alt text',
  ]
  return { id, type, facts: facts.filter((fact) => fact !== false).join(', '), untrustedName: cleanText(name, { max: 100 }) }
}
