import { readPostFilter, type PostFilter } from './filter/post-filter.ts'

/** What the list of posts shows. */
export type PostsSearch = PostFilter & { archived?: true; approval?: 'pending' }

export function readPostsSearch(search: Record<string, unknown>): PostsSearch {
  return {
    ...readPostFilter(search),
    ...((search['archived'] === true || search['archived'] === 'true') && { archived: true }),
    ...(search['approval'] === 'pending' && { approval: 'pending' }),
  }
}
