import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ConnectTarget, startConnect } from '../api/integrations.ts'
import { platformsList } from '../api/queries.gen.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { platformNameOf } from './platform-name.ts'

/** Leaves the app for the platform's consent page. The browser comes back to the page on which the account is confirmed. */
export function useStartConnect() {
  const { id } = useWorkspace()
  return useMutation({
    mutationFn: (target: ConnectTarget) => startConnect(id, target, `/w/${id}/integrations/attempt`),
    onSuccess: (authorizeUrl) => location.assign(authorizeUrl),
  })
}

/** Gives the name of a platform as the platform writes it. */
export function usePlatformName(): (platform: string) => string {
  const { data: platforms } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  return useCallback((platform) => platformNameOf(platforms, platform), [platforms])
}
