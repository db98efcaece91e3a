import type { Static } from 'typebox'
import { defineConnector, type Draft, type Handle, type Media } from '../kit/connector.ts'
import { titleOf } from '../kit/cut-text.ts'
import type { Http } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { slugOf, webUrl } from '../kit/web-address.ts'
import { api, attach, auth, readSite } from './auth.ts'
import { writeContent } from './content.ts'
import { classify } from './errors.ts'
import { manifest } from './manifest.ts'
import { type Settings, settings } from './settings.ts'
import { AnyBody, Created, type Post, Posts, StagedPost, Uploaded } from './wire.ts'

/** Where a file of each kind is uploaded. */
const places = { image: 'images', video: 'media', document: 'files' } as const

/** The first post after a start loads the editor's code, which takes a small server a while. */
const publishMs = 25_000

/** What the editor of Ghost calls a post without a title. */
const untitled = '(Untitled)'

export const ghost = defineConnector({
  manifest,
  settings,
  auth,
  origin: null,
  classify,
  attach,

  async account({ http }) {
    const { url, title, icon, logo } = await readSite(http)
    const { host, pathname } = URL.parse(url) ?? new URL(http.origin)
    const address = host + pathname.replace(/\/$/, '')
    return { id: url, handle: address, displayName: title || address, avatarUrl: webUrl(icon) ?? webUrl(logo) }
  },

  needsStage({ format }) {
    return format !== 'text'
  },

  // Safe to repeat: no post shows a file that was uploaded before.
  async stage({ http }, { media }) {
    const urls: string[] = []
    // One at a time: a small site makes other sizes of each picture while it answers.
    for (const file of media) urls.push(await uploadFile(http, file))
    return { urls }
  },

  async submit({ http }, draft, staged, handle) {
    if ([...draft.text].length > manifest.text.max) {
      const because = explainFor(manifest.name)
      throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_too_long') })
    }
    const urls = draft.media.length === 0 ? [] : parseStaged(StagedPost, staged).urls
    const json = { posts: [{ ...writePost(draft, urls), slug: postSlug(draft, handle), status: 'published' }] }
    // Without `source` Ghost drops the HTML and publishes an empty post.
    const query = { source: 'html' }
    const call = { method: 'POST', path: `${api}/posts/`, query, json, timeoutMs: publishMs, returns: Created } as const
    const created = await http.call(call)
    return publishedAs(created.posts[0])
  },

  // No two posts of a site have the same slug. The post may still be under way, so its absence is no proof.
  async find({ http }, { draft, handle, knownPostIds }) {
    const slug = postSlug(draft, handle)
    const query = { filter: `slug:'${slug}'`, fields: 'id,slug,url', limit: '1' }
    const { posts } = await http.call({ method: 'GET', path: `${api}/posts/`, query, returns: Posts })
    const post = posts.find((each) => each.slug === slug)
    if (!post) return { state: 'absent', proof: 'listing' }
    return knownPostIds.has(post.id) ? { state: 'unknown' } : publishedAs(post)
  },

  // Files stay on the site.
  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: `${api}/posts/${encodeURIComponent(postId)}/`, returns: AnyBody })
  },
})

function publishedAs({ id, url }: Static<typeof Post>) {
  return { state: 'published', postId: id, postUrl: webUrl(url) } as const
}

/** Ghost wants a title. */
function postTitle(draft: Pick<Draft, 'title' | 'text'>): string {
  return titleOf(draft, manifest.title.max) ?? untitled
}

function postSlug(draft: Pick<Draft, 'title' | 'text'>, handle: Handle): string {
  return slugOf({ title: postTitle(draft) }, handle)
}

function writePost(draft: Draft<Settings>, urls: readonly string[]) {
  const { text, title, media, settings: chosen } = draft
  const placed = media.flatMap((file, at) => {
    const { kind, name, alt, width, height, sizeBytes } = file
    const url = urls[at]
    return url === undefined ? [] : [{ kind, name, alt, width, height, sizeBytes, url }]
  })
  const [first] = placed
  const featured = chosen.featureImage && first?.kind === 'image' ? first : undefined
  const { tags = [], excerpt } = chosen
  return {
    title: postTitle(draft),
    html: writeContent(text, featured ? placed.slice(1) : placed, title),
    ...(featured && { feature_image: featured.url, feature_image_alt: featured.alt || null }),
    ...(excerpt !== undefined && { custom_excerpt: excerpt }),
    ...(tags.length > 0 && { tags: tags.map((name) => ({ name: name.trim() })) }),
    visibility: chosen.visibility,
    featured: chosen.featured,
  }
}

/** Ghost looks at the ending of a name as well as at the type. */
async function uploadFile(http: Http, file: Media): Promise<string> {
  const place = places[file.kind]
  const ending = file.mimeType.split('/').at(-1) ?? ''
  const named = { ...file, name: `${file.name.replace(/\.[^.]*$/, '') || 'file'}.${ending}` }
  const form = await streamMultipart('file', named, file.kind === 'image' ? { purpose: 'image' } : {})
  const call = { method: 'POST', path: `${api}/${place}/upload/`, ...uploadOf(form), returns: Uploaded } as const
  const [uploaded] = (await http.call(call))[place] ?? []
  if (uploaded) return uploaded.url
  throw new PlatformError({ kind: 'unknown', platformCode: null, message: 'Ghost took a file and did not say where it is.' })
}
