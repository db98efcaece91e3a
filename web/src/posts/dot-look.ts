import type { CalendarEntry } from '@carillon/sdk'

/** The colour of a post in a month whose days are too small for more than dots. */
export function dotLook({ status, failed }: Pick<CalendarEntry, 'status' | 'failed'>): string {
  if (failed > 0) return 'bg-rust'
  return status === 'completed' ? 'bg-verdigris' : status === 'draft' ? 'bg-edge' : 'bg-dusk'
}
