import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { platformsList } from '../api/queries.gen.ts'

/** Gives the name of a platform as the platform writes it. Until the names are loaded, it is the code. */
export function usePlatformName(): (platform: string) => string {
  const { data: platforms } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  return useCallback((platform) => platforms?.find((each) => each.platform === platform)?.name ?? platform, [platforms])
}
