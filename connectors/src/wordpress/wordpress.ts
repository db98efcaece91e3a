import type { Static } from 'typebox'
import { commentIdOf } from '../kit/comment-id.ts'
import { defineConnector, type Draft, type Media } from '../kit/connector.ts'
import { escapeText, textOfHtml } from '../kit/html.ts'
import type { Http } from '../kit/http.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { slugOf, webUrl } from '../kit/web-address.ts'
import { api, attach, auth, readName } from './auth.ts'
import { writeAlt, writeContent } from './content.ts'
import { classify, reject } from './errors.ts'
import { findPost } from './find.ts'
import { manifest } from './manifest.ts'
import { pathOf } from './post-id.ts'
import { type Settings, settings } from './settings.ts'
import { findCategories, findOrCreateTags } from './terms.ts'
import { AnyBody, Created, Me, StagedPost, Uploaded } from './wire.ts'

type Placed = Static<typeof StagedPost>['files'][number]

/** WordPress looks at the ending of a name before it looks at the file. */
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'video/quicktime': 'mov',
}

export const wordpress = defineConnector({
  manifest,
  settings,
  auth,
  origin: null,
  classify,
  attach,

  async account({ http }) {
    const me = await http.call({ method: 'GET', path: `${api}/users/me`, query: { context: 'edit' }, returns: Me })
    const { name = '' } = await readName(http)
    const { host } = new URL(http.origin)
    const avatars: Record<string, unknown> = Object(me.avatar_urls)
    return {
      id: String(me.id),
      // A user name is unique on its site only, so the host is added.
      handle: `${me.username ?? me.slug}@${host}`,
      displayName: textOfHtml(name).shown.trim() || me.name || host,
      avatarUrl: webUrl(avatars['96']),
    }
  },

  // A text can have tags, which are looked up first.
  needsStage({ replyTo }) {
    return replyTo === null
  },

  // Safe to repeat: files are in the library of the site, where no reader sees them, and a tag is made once.
  async stage({ http }, draft) {
    const { tags = [], categories = [] } = draft.settings
    const found = { categories: await findCategories(http, categories), tags: await findOrCreateTags(http, tags) }
    const files: Placed[] = []
    // One at a time: a small site makes other sizes of each picture while it answers.
    for (const file of draft.media) files.push(await uploadFile(http, file))
    return { ...found, files }
  },

  async submit({ http }, draft, staged, handle) {
    if ([...draft.text].length > manifest.text.max) throw reject('text_too_long')
    if (draft.replyTo) return comment(http, draft, draft.replyTo.postId)
    const json = { ...writePost(draft, parseStaged(StagedPost, staged)), slug: slugOf(draft, handle), status: 'publish' }
    const created = await http.call({ method: 'POST', path: `${api}/posts`, json, returns: Created })
    return { state: 'published', postId: String(created.id), postUrl: webUrl(created.link) }
  },

  find: findPost,

  // A comment and a post alike are deleted for good. Files stay in the library.
  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: api + pathOf(postId), query: { force: 'true' }, returns: AnyBody })
  },
})

function writePost({ text, title, media, settings: chosen }: Draft<Settings>, staged: Static<typeof StagedPost>) {
  const placed = media.flatMap((file, at) => {
    const place = staged.files[at]
    return place ? [{ kind: file.kind, name: file.name, alt: file.alt, ...place }] : []
  })
  const [first] = placed
  const featured = chosen.featuredImage && first?.kind === 'image' ? first : undefined
  const { excerpt, comments } = chosen
  return {
    title: escapeText(title ?? ''),
    content: writeContent(text, featured ? placed.slice(1) : placed, title),
    ...(excerpt !== undefined && { excerpt: escapeText(excerpt) }),
    ...(featured && { featured_media: featured.id }),
    ...(staged.tags.length > 0 && { tags: staged.tags }),
    ...(staged.categories.length > 0 && { categories: staged.categories }),
    ...(comments !== 'site' && { comment_status: comments }),
  }
}

async function comment(http: Http, { text }: Pick<Draft, 'text'>, postId: string) {
  const json = { post: Number(postId), content: escapeText(text) }
  const created = await http.call({ method: 'POST', path: `${api}/comments`, json, returns: Created })
  return { state: 'published', postId: commentIdOf(created.id), postUrl: webUrl(created.link) } as const
}

async function uploadFile(http: Http, file: Media): Promise<Placed> {
  const ending = endings[file.mimeType] ?? file.mimeType.split('/').at(-1) ?? ''
  const named = { ...file, name: `${file.name.replace(/\.[^.]*$/, '') || 'file'}.${ending}` }
  const form = await streamMultipart('file', named, file.alt === '' ? {} : { alt_text: writeAlt(file.alt) })
  const { id, source_url: url } = await http.call({ method: 'POST', path: `${api}/media`, ...uploadOf(form), returns: Uploaded })
  return { id, url }
}
