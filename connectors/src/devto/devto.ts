import { defineConnector, type Figures } from '../kit/connector.ts'
import { webUrl } from '../kit/web-address.ts'
import { attach, auth } from './auth.ts'
import { classify, tooLong } from './errors.ts'
import { bodyOf, findArticle, listOwn, titleOf } from './find.ts'
import { manifest } from './manifest.ts'
import { settings } from './settings.ts'
import { AnyBody, Article, Me } from './wire.ts'

/** The site answers thirty reading calls in a minute. */
const figurePagesMax = 5

export const devto = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://dev.to',
  classify,
  attach,

  async account({ http }) {
    const { id, username, name, profile_image: picture } = await http.call({ method: 'GET', path: '/api/users/me', returns: Me })
    return { id: String(id), handle: username, displayName: name || username, avatarUrl: webUrl(picture) }
  },

  // An article is text only: images have addresses of their own.
  needsStage: () => false,

  async submit({ http }, draft) {
    if ([...draft.text].length > manifest.text.max) throw tooLong()
    const { tags, cover, canonicalUrl, draft: isDraft } = draft.settings
    const article = {
      title: titleOf(draft),
      body_markdown: bodyOf(draft),
      published: !isDraft,
      tags,
      main_image: cover,
      canonical_url: canonicalUrl,
    }
    const made = await http.call({ method: 'POST', path: '/api/articles', json: { article }, returns: Article })
    // Only its author can open a draft, and it has another address later.
    return { state: 'published', postId: String(made.id), postUrl: isDraft ? null : webUrl(made.url) }
  },

  find: findArticle,

  // The API deletes nothing: the article becomes a draft again.
  async remove({ http }, postId) {
    const json = { article: { published: false } }
    await http.call({ method: 'PUT', path: `/api/articles/${encodeURIComponent(postId)}`, json, returns: AnyBody })
  },

  // Views are told in the author's own list only.
  async metrics({ http }, postIds) {
    const figures = new Map<string, Figures>()
    for (let page = 1; page <= figurePagesMax && figures.size < postIds.length; page++) {
      const articles = await listOwn(http, 'published', page)
      if (articles.length === 0) break
      for (const {
        id,
        public_reactions_count: likes = 0,
        comments_count: comments = 0,
        page_views_count: impressions,
      } of articles)
        if (postIds.includes(String(id)))
          figures.set(String(id), { likes, comments, ...(impressions !== undefined && { impressions }) })
    }
    return figures
  },
})
