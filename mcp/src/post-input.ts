import type { Body, Carillon, PostType } from '@carillon/sdk'
import { Type, type Static } from 'typebox'
import { ToolError } from './words/describe-error.ts'

/**
 * The content of a post, as tools take it. Files are ids only: an address that a model invented cannot get into a post. The limits of the
 * fields are left to the API, so that the schemas stay small.
 */
export const postFields = {
  accounts: Type.Optional(Type.Array(Type.String(), { description: 'Slugs from get_context' })),
  text: Type.Optional(Type.String({ description: 'Plain text, for all accounts without their own' })),
  title: Type.Optional(Type.String()),
  link: Type.Optional(Type.String({ description: 'A link to attach' })),
  media: Type.Optional(
    Type.Array(
      Type.Object(
        { id: Type.String({ pattern: '^[0-9a-f]{24}$' }), alt: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
      { description: 'Files by id, from find_media or add_media' },
    ),
  ),
  format: Type.Optional(Type.String({ description: 'For example story; else chosen by the files' })),
  firstComment: Type.Optional(Type.String()),
  thread: Type.Optional(Type.Array(Type.String(), { description: 'Posts that follow the first' })),
  perAccount: Type.Optional(
    Type.Unsafe<Record<string, Record<string, unknown>>>({
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'By slug: own text, title, firstComment, linkUrl, and settings of the platform',
    }),
  ),
  aiGenerated: Type.Optional(Type.Boolean({ description: 'Label as made with AI' })),
}

const PostInput = Type.Object(postFields)
export type PostInput = Static<typeof PostInput>

export type PostBody = Body<'content.validate'>

/** The request for a post. The same content always gives the same request, because its repeat must be recognised. */
export async function toPostBody(input: PostInput, media: Carillon['media']): Promise<PostBody> {
  const { accounts = [], text, title, link, format, firstComment, thread, perAccount, aiGenerated } = input
  const files = input.media ?? []
  return {
    type: await findPostType(files, media),
    connections: [...new Set(accounts)].toSorted(),
    ...(text !== undefined && { text: text.trim() }),
    ...(title !== undefined && { title }),
    ...(link !== undefined && { linkUrl: link }),
    ...(format !== undefined && { contentFormat: format as NonNullable<PostBody['contentFormat']> }),
    ...(firstComment !== undefined && { firstComment }),
    ...(thread !== undefined && thread.length > 0 && { thread: thread.map((each) => ({ text: each })) }),
    ...(perAccount !== undefined && { platformOptions: perAccount }),
    ...(aiGenerated !== undefined && { aiGenerated }),
    ...(files.length > 0 && {
      medias: files.map(({ id }) => id),
      ...(files.some(({ alt }) => alt !== undefined) && {
        mediaOptions: files.map(({ alt }) => (alt === undefined ? {} : { alt })),
      }),
    }),
  }
}

async function findPostType(files: readonly { id: string }[], media: Carillon['media']): Promise<PostType> {
  const kinds = await Promise.all(files.map(async ({ id }) => (await media.get(id)).type))
  const [first, ...others] = kinds
  if (first === undefined) return 'text'
  if (others.length === 0 && first !== 'image') return first
  if (kinds.includes('document'))
    throw new ToolError('media_mixed', 'A document is published alone.', 'Leave the other files out, or the document.')
  return 'photo'
}

/** Refuses fields of two ways to call a tool at once. */
export function hasContent(input: PostInput): boolean {
  return Object.keys(postFields).some((field) => input[field as keyof PostInput] !== undefined)
}
