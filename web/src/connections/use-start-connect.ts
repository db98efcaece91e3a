import { useMutation } from '@tanstack/react-query'
import { startConnect, type ConnectTarget } from '../api/integrations.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** Leaves the app for the platform's consent page. The browser comes back to the page on which the account is confirmed. */
export function useStartConnect() {
  const { id } = useWorkspace()
  return useMutation({
    mutationFn: (target: ConnectTarget) => startConnect(id, target, `/w/${id}/integrations/attempt`),
    onSuccess: (authorizeUrl) => location.assign(authorizeUrl),
  })
}
