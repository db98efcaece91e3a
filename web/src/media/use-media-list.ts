import type { Media } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mediaListPages } from '../api/queries.gen.ts'
import { mediaTypeOf, type MediaSearch } from './media-search.ts'

const pageSize = 60

/** The files that match the filters, page after page. */
export function useMediaList(workspaceId: string, search: MediaSearch) {
  const isWithoutAlt = search.show === 'without-alt'
  // Only images have an alt text.
  const type = isWithoutAlt ? 'image' : mediaTypeOf(search)
  const query = useInfiniteQuery(
    mediaListPages(workspaceId, {
      limit: pageSize,
      ...(type && { type }),
      ...(search.tag !== undefined && { tags: search.tag }),
      ...(search.search !== undefined && { search: search.search }),
      ...(search.show === 'unused' && { unused: 'true' }),
    }),
  )
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  // The server has no filter for missing alt texts: the pages are read one after the other until all are known.
  const mustReadOn = isWithoutAlt && hasNextPage && !isFetching
  useEffect(() => {
    if (mustReadOn) void fetchNextPage()
  }, [mustReadOn, fetchNextPage])
  const all: readonly Media[] = data?.pages.flatMap(({ results }) => results) ?? []
  const items = isWithoutAlt ? all.filter(({ alt }) => alt === '') : all
  const total = isWithoutAlt ? items.length : (data?.pages[0]?.total ?? 0)
  return { ...query, items, total, isReadingOn: isWithoutAlt && hasNextPage }
}
