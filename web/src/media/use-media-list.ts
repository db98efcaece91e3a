import type { Media } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { mediaListPages } from '../api/queries.gen.ts'
import { mediaTypeOf, type MediaSearch } from './media-search.ts'

const pageSize = 60

/** The files that match the filters, page after page. */
export function useMediaList(workspaceId: string, search: MediaSearch) {
  const type = mediaTypeOf(search)
  const query = useInfiniteQuery(
    mediaListPages(workspaceId, {
      limit: pageSize,
      ...(type && { type }),
      ...(search.tag !== undefined && { tags: search.tag }),
      ...(search.search !== undefined && { search: search.search }),
      ...(search.show === 'unused' && { unused: 'true' }),
      ...(search.show === 'without-alt' && { withoutAlt: 'true' }),
    }),
  )
  const items: readonly Media[] = query.data?.pages.flatMap(({ results }) => results) ?? []
  return { ...query, items, total: query.data?.pages[0]?.total ?? 0 }
}
