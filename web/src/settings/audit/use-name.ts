import { useQuery } from '@tanstack/react-query'
import { queuesList, webhooksList, workspacesApiKeys, workspacesConnections, workspacesMembers } from '../../api/queries.gen.ts'
import { useAccess } from '../use-access.ts'

/** Whether people choose the names of these objects, so that two may have the same one. */
export function isNamedByPeople(kind: string): boolean {
  return ['queue', 'api_key', 'webhook'].includes(kind)
}

/** The name of what an entry is about; `kind` is the first word of its action. Undefined for what the workspace no longer has. */
export function useName(kind: string, id: string): string | undefined {
  const { workspaceId } = useAccess()
  const { data: connections = [] } = useQuery({ ...workspacesConnections(workspaceId), enabled: kind === 'connection' })
  const { data: members = [] } = useQuery({ ...workspacesMembers(workspaceId), enabled: kind === 'member' })
  const { data: queues = [] } = useQuery({ ...queuesList(workspaceId), enabled: kind === 'queue' })
  const { data: keys = [] } = useQuery({ ...workspacesApiKeys(workspaceId), enabled: kind === 'api_key' })
  const { data: webhooks = [] } = useQuery({ ...webhooksList(workspaceId), enabled: kind === 'webhook' })
  return (
    connections.find((each) => each.id === id)?.displayName ??
    members.find(({ userId }) => userId === id)?.email ??
    queues.find((each) => each.id === id)?.name ??
    keys.find((each) => each.id === id)?.label ??
    webhooks.find((each) => each.id === id)?.url
  )
}
