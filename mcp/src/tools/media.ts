import type { Media } from '@carillon/sdk'
import { Type } from 'typebox'
import { defineTool, readOnly } from '../tool.ts'
import { ToolError } from '../words/describe-error.ts'
import { cleanText } from '../words/third-party.ts'

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
    },
    { additionalProperties: false },
  ),
  output: { files: Type.Array(File), nextCursor: Type.Optional(Type.String()) },
  async run({ limit = 10, ...query }, { desk: { carillon } }) {
    const { results, total, nextCursor } = await carillon.media.list({ ...query, limit })
    return {
      summary: `${results.length} of ${total} files.${nextCursor === null ? '' : ' There are more: call again with cursor.'}`,
      files: results.map(describeFile),
      ...(nextCursor !== null && { nextCursor }),
    }
  },
})

export const addMedia = defineTool({
  name: 'add_media',
  title: 'Add a file',
  description:
    'Brings a file into the media library: from a public address that the person gave, or as base64 up to 5 MB. Returns its id. Publishes nothing.',
  needs: 'draft',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Type.Object(
    {
      url: Type.Optional(Type.String({ maxLength: 2048 })),
      base64: Type.Optional(Type.String({ maxLength: 7_000_000 })),
      name: Type.Optional(Type.String({ description: 'File name, with base64' })),
      alt: Type.Optional(Type.String({ description: 'For people who cannot see it' })),
    },
    { additionalProperties: false },
  ),
  output: { file: File },
  async run({ url, base64, name = 'file', alt }, { desk: { carillon, links } }) {
    if ((url === undefined) === (base64 === undefined))
      throw new ToolError(
        'file_missing',
        'Give either url or base64.',
        `A file that is only on the person's device can be uploaded by them at ${links.media}; then call find_media.`,
      )
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

function decode(base64: string, uploadPage: string): Uint8Array<ArrayBuffer> {
  const bare = base64.replace(/^data:[^,]{0,200},/, '')
  const bytes = Uint8Array.from(Buffer.from(bare, 'base64'))
  if (bytes.length === 0)
    throw new ToolError('file_unreadable', 'The file is empty or is not base64.', 'Send the content of the file as base64.')
  if (bytes.length > base64BytesMax)
    throw new ToolError(
      'file_too_large',
      'The file is larger than 5 MB.',
      `Give a public address with url, or ask the person to upload it at ${uploadPage} and call find_media.`,
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
