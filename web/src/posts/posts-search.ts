import { readPostFilter, type PostFilter } from './filter/post-filter.ts'
import { type PanelSearch, readPanelSearch } from './use-post-panel.ts'

/** What the list of posts shows. */
export type PostsSearch = PostFilter & PanelSearch & { archived?: true; approval?: 'pending' }

export function readPostsSearch(search: Record<string, unknown>): PostsSearch {
  return {
    ...readPostFilter(search),
    ...readPanelSearch(search),
    ...((search['archived'] === true || search['archived'] === 'true') && { archived: true }),
    ...(search['approval'] === 'pending' && { approval: 'pending' }),
  }
}
