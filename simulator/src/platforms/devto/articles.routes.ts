import type { Call } from '../../http/call.ts'
import { flagOf, isFields, textOf, textsOf, type Fields } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { invalid, refusal } from './errors.ts'

type Article = Post & { title: string; tags: readonly string[]; canonicalUrl: string | null; publishedAtMs: number | null }

const titleMax = 128
const tagsMax = 4
const bodyBytesMax = 800 * 1024
const sameTitleMs = 5 * 60_000
const frontMatter = /^\s*---\s*\n([\s\S]*?)\n\s*---/

/** Forem limits the bytes of a text. */
export function countText(text: string): number {
  return Buffer.byteLength(text)
}

export function articleRoutes(context: PlatformContext): Route[] {
  const articles = context.createTable<Article>('articles')
  const own = (account: Account) => [...articles.values()].filter((each) => each.account === account)

  const create = (call: Call, { account }: Session) => {
    const given = readArticle(call.fields)
    const fields = { ...given, ...readFrontMatter(textOf(given['body_markdown']) ?? '') }
    const title = (textOf(fields['title']) ?? '').trim()
    const isPublished = flagOf(fields['published'])
    const canonicalUrl = textOf(fields['canonical_url']) ?? null
    const tags = textsOf(fields['tags']).map((tag) => tag.toLowerCase())
    checkTitle(title)
    checkTags(tags)
    const atMs = context.now()
    if (own(account).some((each) => each.title === title && each.atMs > atMs - sameTitleMs))
      throw invalid('Title has already been used in the last five minutes')
    if (countText(textOf(fields['body_markdown']) ?? '') > bodyBytesMax) throw invalid('Body markdown is too long.')
    if (canonicalUrl !== null && /\s/.test(canonicalUrl)) throw invalid('Canonical url must not have spaces')
    if (isPublished && isTaken(canonicalUrl))
      throw invalid('Canonical url has already been taken. Email contact@dev.example for further details.')
    const id = String(context.nextNumber())
    const slug = `${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}-${isPublished ? Number(id).toString(36) : `temp-slug-${id}`}`
    const text = textOf(fields['body_markdown']) ?? ''
    const url = `${context.origin}/${account.handle}/${slug}`
    const head = { platform: context.name, id, account, text, url, replyTo: null, atMs, deleted: false, media: [] }
    const article: Article = { ...head, request: fields, title, tags, canonicalUrl, publishedAtMs: isPublished ? atMs : null }
    articles.set(id, article)
    context.commit(article, call)
    return json(201, view(article))
  }

  const isTaken = (canonicalUrl: string | null) =>
    canonicalUrl !== null &&
    [...articles.values()].some((each) => each.publishedAtMs !== null && each.canonicalUrl === canonicalUrl)

  const update = ({ params, fields }: Call, { account }: Session) => {
    const article = articles.get(params['id'] ?? '')
    if (article?.account !== account) throw refusal(404)
    const { published } = readArticle(fields)
    if (published !== undefined) {
      article.publishedAtMs = flagOf(published) ? (article.publishedAtMs ?? context.now()) : null
      article.deleted = article.publishedAtMs === null
    }
    return json(200, view(article))
  }

  const list = (call: Call, { account }: Session) => {
    const { params, query } = call
    const status = params['status'] ?? 'published'
    const [size, page] = [Math.min(1000, Number(query.get('per_page') ?? 30)), Number(query.get('page') ?? 1)]
    const found = own(account)
      .filter(
        (each) => context.isVisible(each) && (status === 'all' || (each.publishedAtMs !== null) === (status === 'published')),
      )
      // PostgreSQL puts what has no date first.
      .toSorted((a, b) => (b.publishedAtMs ?? Infinity) - (a.publishedAtMs ?? Infinity) || Number(b.id) - Number(a.id))
    return json(200, found.slice((page - 1) * size, page * size).map(view))
  }

  const reads = [{ limit: 'reads', cost: 1 }]
  return [
    {
      method: 'POST',
      path: '/api/articles',
      operation: 'submit',
      charges: [{ limit: 'articles', cost: 1 }],
      readSubmit,
      handle: create,
    },
    { method: 'PUT', path: '/api/articles/:id', operation: 'remove', handle: update },
    { method: 'GET', path: '/api/articles/me', operation: 'find', charges: reads, handle: list },
    { method: 'GET', path: '/api/articles/me/:status', operation: 'find', charges: reads, handle: list },
  ]
}

function view({ id, title, text, tags, url, account, publishedAtMs, canonicalUrl, figures }: Article) {
  return {
    type_of: 'article',
    id: Number(id),
    title,
    published: publishedAtMs !== null,
    published_at: publishedAtMs === null ? null : new Date(publishedAtMs).toISOString(),
    slug: url.split('/').at(-1),
    path: new URL(url).pathname,
    url,
    comments_count: figures?.comments ?? 0,
    public_reactions_count: figures?.likes ?? 0,
    page_views_count: figures?.impressions ?? 0,
    body_markdown: text,
    tag_list: tags,
    canonical_url: canonicalUrl ?? url,
    user: { username: account.handle, name: account.handle },
  }
}

function readArticle(fields: Fields | undefined): Fields {
  const article = fields?.['article']
  if (!isFields(article)) throw invalid('article param must be a JSON object.')
  return article
}

/** What stands between two lines of dashes before the text wins over the fields of the request. */
function readFrontMatter(body: string): Fields {
  const lines = frontMatter.exec(body)?.[1]?.split('\n') ?? []
  return Object.fromEntries(lines.map((line) => [line.split(':')[0]?.trim() ?? '', line.slice(line.indexOf(':') + 1).trim()]))
}

/** White space does not count. */
function checkTitle(title: string): void {
  if (title === '') throw invalid("Title can't be blank")
  if ([...title.replaceAll(/\s/g, '')].length > titleMax)
    throw invalid(`Title is too long (maximum is ${titleMax} characters for full_post)`)
}

function checkTags(tags: readonly string[]): void {
  if (tags.length > tagsMax) throw invalid('Tag list exceed the maximum of 4 tags')
  for (const tag of tags) {
    if (tag.length > 30) throw invalid(`Tag "${tag}" is too long (maximum is 30 characters)`)
    if (!/^[\p{L}\p{N}]+$/u.test(tag)) throw invalid(`Tag "${tag}" contains non-alphanumeric or prohibited unicode characters`)
  }
}

function readSubmit({ fields }: Call): SubmitRequest {
  const article = isFields(fields?.['article']) ? fields['article'] : {}
  return { operation: 'create_article', text: textOf(article['body_markdown']) ?? '', key: null, replyTo: null }
}
