import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { contentList } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const lettersMin = 2
const postsMax = 6

/** The posts that contain what was typed. */
export function useFoundPosts(typed: string) {
  const { id: workspaceId } = useWorkspace()
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery({
    ...contentList(workspaceId, { search, limit: postsMax }),
    enabled: search.length >= lettersMin,
    placeholderData: (before) => before,
  })
  return search.length >= lettersMin ? (data?.data ?? []) : []
}
