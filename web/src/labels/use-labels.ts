import type { Label } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { labelsList } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const none: readonly Label[] = []

/** The labels of the workspace, by name. */
export function useLabels() {
  const { id: workspaceId } = useWorkspace()
  const { data, isPending } = useQuery(labelsList(workspaceId))
  return { labels: data ?? none, isPending }
}

/** Those of these labels that still exist, in the order of their names. */
export function useShownLabels(ids: readonly string[] | undefined): Label[] {
  const { labels } = useLabels()
  return ids ? labels.filter(({ id }) => ids.includes(id)) : []
}
