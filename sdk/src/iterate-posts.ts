import type { CallOptions, Query } from './operation.ts'
import type { Post, PostPage } from './types.gen.ts'

type List = (query?: Query<'content.list'>, options?: CallOptions) => Promise<PostPage>

/** All posts that match, newest first, page after page. Goes by cursor: what is posted meanwhile neither repeats nor hides one. */
export function iteratePosts(list: List) {
  return async function* iterate(
    query: Omit<Query<'content.list'>, 'page' | 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Post, void, undefined> {
    let cursor: string | null = null
    do {
      const page: PostPage = await list({ limit: 100, ...query, ...(cursor !== null && { cursor }) }, options)
      yield* page.data
      cursor = page.meta.nextCursor
    } while (cursor !== null)
  }
}
