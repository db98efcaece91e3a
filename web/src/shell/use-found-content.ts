import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { contentList, mediaList } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const lettersMin = 2
const foundMax = 6

/**
 * The posts and files that contain what was typed. Each answer belongs to the words it was asked for, so one that arrives late replaces nothing.
 * While a person types on, what the shorter words found stays; if one of the two requests fails, the other still answers.
 */
export function useFoundContent(typed: string) {
  const { id: workspaceId } = useWorkspace()
  const search = useDeferredValue(typed.trim())
  const enabled = search.length >= lettersMin
  const query = { search, limit: foundMax }
  const isOfLess = (asked: { queryKey: readonly unknown[] } | undefined) =>
    search.startsWith((asked?.queryKey[2] as typeof query | undefined)?.search ?? search)
  const posts = useQuery({
    ...contentList(workspaceId, query),
    enabled,
    placeholderData: (before, asked) => (isOfLess(asked) ? before : undefined),
  })
  const files = useQuery({
    ...mediaList(workspaceId, query),
    enabled,
    placeholderData: (before, asked) => (isOfLess(asked) ? before : undefined),
  })
  return {
    posts: enabled ? (posts.data?.data ?? []) : [],
    files: enabled ? (files.data?.results ?? []) : [],
    isSearching: enabled && (posts.isFetching || files.isFetching),
    hasFailed: enabled && (posts.isError || files.isError),
  }
}
