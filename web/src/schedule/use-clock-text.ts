import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { readClocks, type Clocks } from '../time/clocks.ts'
import { useOwnZone } from '../workspaces/use-me.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'

/** "09:00 Tokyo · 01:00 for you": the same sentence wherever the time of a post is not on the reader's own clock. */
export function useClockText() {
  const { t } = useTranslation('shell')
  const style = useTimeStyle()
  const ownZone = useOwnZone()
  const write = useCallback(
    ({ there, city, here }: Clocks) =>
      here === null ? t('schedule.there', { time: there, city }) : t('schedule.both', { time: there, city, own: here }),
    [t],
  )
  /** `zone` is that of the post; one that was never scheduled has none, and is shown in that of the workspace. */
  const read = useCallback(
    (at: string, zone: string | null, shape: 'time' | 'dayAndTime' = 'dayAndTime') =>
      readClocks(at, { style, zone: zone ?? style.zone, ownZone, shape }),
    [style, ownZone],
  )
  return { read, write }
}
